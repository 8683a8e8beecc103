// What does a page promise: links that lead somewhere, and commands that exist?
import { posix } from "node:path";

/** A link or command of a page, and the line it stands on. */
export interface Promised {
  readonly line: number;
  readonly text: string;
}

const FENCE = /^\s*```(\w*)/;
const LINK = /\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)\)/g;

/** The targets of all links that lead to another place in the repository, outside of code blocks. */
export function relativeLinks(markdown: string): Promised[] {
  const prose = linesOf(markdown).filter(({ language }) => language === undefined);
  return prose.flatMap(({ line, text }) =>
    [...text.replace(/`[^`]*`/g, "").matchAll(LINK)]
      .map(([, target = ""]) => target)
      .filter(target => !/^[a-z]+:/.test(target))
      .map(target => ({ line, text: target })),
  );
}

/** Every command in the shell blocks of a page; those that go over several lines, or are joined, one by one. */
export function commands(markdown: string): Promised[] {
  const shell = linesOf(markdown.replace(/\\\n\s*/g, "")).filter(({ language }) => language === "sh");
  return shell.flatMap(({ line, text }) =>
    text
      .replace(/\s#.*$/, "")
      .split(/&&|\|/)
      .map(part => ({ line, text: part.trim() }))
      .filter(part => part.text !== ""),
  );
}

/** The anchors that headings of a page have on GitHub. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = linesOf(markdown).flatMap(({ language, text }) =>
    language === undefined ? [...text.matchAll(/^#+\s+(.*)$/g)].map(([, heading = ""]) => heading) : [],
  );
  return new Set(headings.map(slugOf));
}

/** The file and the anchor that a link on the page at `from` leads to. */
export function destinationOf(from: string, link: string): { readonly path: string; readonly anchor?: string } {
  const [file = "", anchor] = link.split("#");
  return { path: file === "" ? from : posix.join(posix.dirname(from), file), anchor };
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

interface Line extends Promised {
  /** Of the code block that the line is in. */
  readonly language?: string;
}

function linesOf(markdown: string): Line[] {
  let language: string | undefined;
  return markdown.split("\n").flatMap((text, index): Line[] => {
    const fence = FENCE.exec(text);
    if (!fence) return [{ line: index + 1, text, language }];
    language = language === undefined ? (fence[1] ?? "") : undefined;
    return [];
  });
}
