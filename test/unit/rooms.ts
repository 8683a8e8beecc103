// Which rules of the layout does a source file break?
import { posix } from "node:path";
import ts from "typescript";

/** One source file; `path` is relative to the repository, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The rooms from the ground up (docs/adr/0015-rooms.md): imports go down only, and may skip rooms. */
const FLOORS = ["crds", "lib/domain", "lib/kube", "lib/engine", "capabilities", "pepr.ts"] as const;
/** Data that any file may read. */
const DATA = new Set(["package.json"]);
const MAX_LINES = 200;

/** Everything that the file breaks, each as one sentence that names the file. */
export function problemsOf(file: SourceFile): string[] {
  return [...importProblems(file), ...formProblems(file)].map(problem => `${file.path}: ${problem}`);
}

function importProblems({ path, text }: SourceFile): string[] {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return specifiers.flatMap(specifier => {
    const why = specifier.startsWith(".")
      ? whyNotFile(path, targetOf(path, specifier))
      : whyNotPackage(path, specifier);
    return why === undefined ? [] : [`imports ${specifier}: ${why}`];
  });
}

function whyNotPackage(path: string, specifier: string): string | undefined {
  const isPepr = specifier === "pepr" || specifier.startsWith("pepr/");
  const isDoor = path === "pepr.ts" || /^capabilities\/[^/]+\/index\.ts$/.test(path);
  return isPepr && !isDoor ? "only pepr.ts and capabilities/*/index.ts open Pepr's doors" : undefined;
}

function whyNotFile(path: string, target: string): string | undefined {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (DATA.has(target) || isAllowedAll(from)) return undefined;
  if (to === undefined) return `${target} is in no room`;
  if (isAllowedAll(to)) return `nothing imports ${to}/`;
  if (from === "cli" && to !== "cli") return whyNotFromCli(target, to);
  if (from === "capabilities" && to === "capabilities") return whyNotCapability(path, target);
  return from === to ? undefined : whyNotBelow(to, from);
}

function whyNotBelow(to: string, from: string | undefined): string | undefined {
  return isBelow(to, from) ? undefined : `${to} is not below ${from ?? "the root"}`;
}

/** What makes and tries the product may look at all of it. */
function isAllowedAll(room: string | undefined): boolean {
  return room === "hack" || room === "test";
}

function isBelow(to: string, from: string | undefined): boolean {
  return floorOf(to) >= 0 && floorOf(to) < floorOf(from);
}

function whyNotFromCli(target: string, to: string): string | undefined {
  if (isBelow(to, "capabilities")) return undefined;
  const isPlan = /^capabilities\/[^/]+\/plan\.ts$/.test(target);
  return isPlan ? undefined : "cli/ takes lib/, crds/ and capabilities/*/plan.ts only";
}

function whyNotCapability(path: string, target: string): string | undefined {
  const [own, other] = [path, target].map(name => name.split("/")[1]);
  return own === other ? undefined : `capability ${own} must not know capability ${other}; they meet in API objects`;
}

/** The room of a file; `undefined` for files at the top, other than the composition root. */
function roomOf(path: string): string | undefined {
  const rooms = [...FLOORS, "cli", "hack", "test"];
  return rooms.find(room => path === room || path.startsWith(`${room}/`));
}

/** -1 for what is in no floor: cli/ is below nobody, and configuration at the top is above nothing. */
function floorOf(room: string | undefined): number {
  return FLOORS.findIndex(floor => floor === room);
}

function targetOf(path: string, specifier: string): string {
  const target = posix.join(posix.dirname(path), specifier);
  return target.replace(/\.js$/, ".ts");
}

function formProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  const lines = text.trimEnd().split("\n");
  const first = lines[0]?.startsWith("#!") ? lines[1] : lines[0];
  if (!/^\/\/ \S+( \S+){2}/.test(first ?? "")) {
    problems.push("the first line must be a comment that says which question the file answers");
  }
  if (!/(^|\/)[^/]+\.config\.ts$/.test(path) && hasDefaultExport(path, text)) {
    problems.push("no default exports; export it by name");
  }
  if (!isTest(path) && lines.length > MAX_LINES) {
    problems.push(`${lines.length} lines; at most ${MAX_LINES}: move one of its questions into a file of its own`);
  }
  return problems;
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.startsWith("test/");
}

function hasDefaultExport(path: string, text: string): boolean {
  // Parsing is slow, and few files have the word.
  if (!/\bdefault\b/.test(text)) return false;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  return tree.statements.some(statement => {
    if (ts.isExportAssignment(statement)) return true;
    if (ts.isExportDeclaration(statement)) return exportsAsDefault(statement);
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
  });
}

function exportsAsDefault({ exportClause }: ts.ExportDeclaration): boolean {
  if (!exportClause || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.some(({ name }) => name.text === "default");
}
