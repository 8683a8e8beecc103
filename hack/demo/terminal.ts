// How does the story look on a terminal, and in a file?
import pc from "picocolors";

/** Where the story goes; `isTTY` says whether a person looks at it. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One kind of line each. */
export interface Terminal {
  heading(number: number, title: string): void;
  /** Why the next command is typed; a sentence. */
  say(text: string): void;
  /** A command as it could be typed. */
  command(line: string): void;
  /** What a command printed, whole or line by line. */
  output(text: string): void;
  /** What to look at in the output above. */
  see(text: string): void;
  /** Something that has been checked. */
  held(sentence: string): void;
}

/** Colours only for a person at a terminal; NO_COLOR takes them away (no-color.org). The signs stay. */
export function terminalOn(screen: Screen, env: Readonly<Record<string, string | undefined>>): Terminal {
  const color = pc.createColors(screen.isTTY === true && !env["NO_COLOR"]);
  const line = (text: string): void => void screen.write(`${text}\n`);
  return {
    heading: (number, title) => line(`\n${color.bold(`━━ ${number}. ${title}`)}`),
    say: text => line(text),
    command: text => line(`\n${color.cyan("$")} ${color.bold(text)}`),
    output: text =>
      text
        .trimEnd()
        .split("\n")
        .forEach(each => line(`  ${each}`.trimEnd())),
    see: text => line(`${color.yellow("→")} ${text}`),
    held: sentence => line(`${color.green("✓")} ${sentence}`),
  };
}
