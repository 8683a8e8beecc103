// Do the pages keep what they promise: links, commands, and lists that are complete?
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../cli/program.js";
import { Config } from "../../lib/engine/config.js";
import { EVENT_REASONS } from "../../lib/engine/event-reasons.js";
import { Metrics } from "../../lib/engine/metrics.js";
import { whyNotCommand, type Callable } from "./command-lines.js";
import { anchorsOf, commands, destinationOf, relativeLinks } from "./markdown.js";
import { messagesIn } from "./messages.js";
import { allPaths, sourceFiles, textOf } from "./tree.js";

const paths = new Set(allPaths());
const pages = [...paths].filter(path => path.endsWith(".md"));
const nowhere = { stdout: new Writable(), stderr: new Writable(), env: {} } as unknown as Parameters<
  typeof createProgram
>[0];

const callable: Callable = {
  scripts: new Set(Object.keys((JSON.parse(textOf("package.json")) as { scripts: object }).scripts)),
  sourceOf: script =>
    ["ts", "mjs"].map(ending => textIf(`hack/${script}.${ending}`)).join("\n") + textOf("hack/run.mjs"),
  program: createProgram(nowhere),
};

function textIf(path: string): string {
  return paths.has(path) ? textOf(path) : "";
}

function leadsTo(page: string, link: string): boolean {
  const { path, anchor } = destinationOf(page, link);
  const isDirectory = [...paths].some(other => other.startsWith(`${path.replace(/\/$/, "")}/`));
  if (anchor === undefined) return paths.has(path) || isDirectory;
  return paths.has(path) && anchorsOf(textOf(path)).has(anchor);
}

describe("relativeLinks", () => {
  it("finds links in prose, and neither those in code nor those to other sites", () => {
    const page = "See [a](docs/a.md#b), [c](https://example.test) and `[d](e)`.\n```sh\n[f](g)\n```\n[h](#i)";
    expect(relativeLinks(page)).toEqual([
      { line: 1, text: "docs/a.md#b" },
      { line: 5, text: "#i" },
    ]);
  });
});

describe("anchorsOf", () => {
  it("gives headings the names that GitHub gives them", () => {
    expect(anchorsOf("# What `it` does, and why\n```sh\n# no heading\n```\n## 回滚")).toEqual(
      new Set(["what-it-does-and-why", "回滚"]),
    );
  });
});

describe("whyNotCommand", () => {
  it.each`
    given                         | line                                   | why
    ${"a script that is missing"} | ${"npm run fly"}                       | ${"package.json has no script fly"}
    ${"a flag of no script"}      | ${"npm run clusters -- up --wings 2"}  | ${"npm run clusters takes no --wings"}
    ${"half a flag"}              | ${"npm run clusters -- up --member 2"} | ${"npm run clusters takes no --member"}
    ${"a command of no program"}  | ${"npx holdfast fly member1"}          | ${"holdfast has no command fly"}
    ${"a flag of no command"}     | ${"npx holdfast join member1 --wings"} | ${"holdfast join takes no --wings"}
    ${"one of a command below"}   | ${"holdfast migrate apply x --wings"}  | ${"holdfast migrate apply takes no --wings"}
  `("names $given", ({ line, why }: Record<"line" | "why", string>) => {
    expect(whyNotCommand(line, callable)).toBe(why);
  });

  it("leaves other programs alone", () => {
    expect(whyNotCommand("kubectl fly --wings", callable)).toBeUndefined();
  });
});

describe("messagesIn", () => {
  it("finds the sentences of errors and warnings, without their variables", () => {
    const text =
      "const detail = a ? `too long by ${n} characters; shorten it` : 'nothing is written here';\nwarnIf(x, `${p}: has no effect here`);";
    expect(messagesIn({ path: "x.ts", text })).toEqual([
      "characters; shorten it",
      "nothing is written here",
      ": has no effect here",
    ]);
  });
});

describe("the documentation", () => {
  it.each(pages)("has no dead link on %s", page => {
    const dead = relativeLinks(textOf(page)).filter(({ text }) => !leadsTo(page, text));
    expect(dead).toEqual([]);
  });

  it.each(pages)("shows only commands that exist on %s", page => {
    const wrong = commands(textOf(page)).flatMap(({ line, text }) => {
      const why = whyNotCommand(text, callable);
      return why === undefined ? [] : [`line ${line}: ${why}`];
    });
    expect(wrong).toEqual([]);
  });

  it("names the two commands of the README", () => {
    const shown = commands(textOf("README.md")).map(({ text }) => text);
    expect(shown).toEqual(expect.arrayContaining(["npm run demo", "npm test"]));
    expect(paths).toContain("hack/demo.ts");
  });

  it("lists every message of admission", () => {
    const validators = sourceFiles().filter(({ path }) => isValidator(path));
    expect(validators.length).toBeGreaterThan(8);
    const page = textOf("docs/admission-messages.md");
    const missing = validators.flatMap(file => messagesIn(file).filter(message => !page.includes(message)));
    expect(missing).toEqual([]);
  });

  it("lists every setting with its default", () => {
    const page = textOf("docs/operations.md");
    for (const [name, value] of Object.entries(Config.parse({}))) {
      expect(page).toContain(`| \`${name}\` | \`${value}\` |`);
    }
  });

  it("lists every metric of a running process", async () => {
    const page = textOf("docs/reference/metrics.md");
    const names = (await new Metrics("0").registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(names.filter(name => !/^(process|nodejs)_/.test(name)).length).toBeGreaterThan(10);
    expect(names.filter(name => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it("lists every reason of an Event that is written, and none that is not", () => {
    const page = textOf("docs/reference/events.md");
    const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason);
    expect(listed).toEqual(Object.keys(EVENT_REASONS).sort());
    const written = sourceFiles()
      .filter(({ path }) => path.startsWith("capabilities/") && !path.endsWith(".test.ts"))
      .map(({ text }) => text)
      .join("\n");
    expect(listed.filter(reason => !written.includes(`"${reason}"`))).toEqual([]);
  });

  it("has every decision in the index", () => {
    const index = textOf("docs/adr/README.md");
    const decisions = pages.filter(page => /^docs\/adr\/\d/.test(page));
    expect(decisions.filter(page => !index.includes(`(${page.replace("docs/adr/", "")})`))).toEqual([]);
  });

  it("carries the whole licence", () => {
    const licence = readFileSync(new URL("../../LICENSE", import.meta.url), "utf8");
    expect(licence).toContain("Apache License");
    expect(licence).toContain("END OF TERMS AND CONDITIONS");
  });
});

function isValidator(path: string): boolean {
  return /^(capabilities\/\w+\/(validate[\w-]*|pointer)|lib\/domain\/(validate-[\w-]+|label-selector)|crds\/unsupported)\.ts$/.test(
    path,
  );
}
