// Does a command that a page shows exist?
import type { Command } from "commander";

/** What there is to call. */
export interface Callable {
  /** Scripts of package.json. */
  readonly scripts: ReadonlySet<string>;
  /** Files of hack/ by script, for the flags that each takes. */
  readonly sourceOf: (script: string) => string;
  readonly program: Command;
}

/** Why the command cannot be meant; `undefined` when it can, and for programs that are not ours. */
export function whyNotCommand(line: string, { scripts, sourceOf, program }: Callable): string | undefined {
  const words = line.split(/\s+/);
  if (words[0] === "npm") return whyNotScript(words.slice(1), scripts, sourceOf);
  const cli = words[0] === "npx" ? words.slice(1) : words;
  return cli[0] === "holdfast" || cli[0] === "kubectl-holdfast" ? whyNotOurs(cli.slice(1), program) : undefined;
}

function whyNotScript(
  words: readonly string[],
  scripts: ReadonlySet<string>,
  sourceOf: (script: string) => string,
): string | undefined {
  const name = words[0] === "run" ? words[1] : words[0];
  if (name === undefined || !scripts.has(name)) return `package.json has no script ${name}`;
  const separator = words.indexOf("--");
  // Tests take vitest's flags.
  const flags = name === "test" || separator < 0 ? [] : words.slice(separator + 1).filter(isFlag);
  const source = flags.length > 0 ? sourceOf(name) : "";
  const unknown = flags.find(flag => !new RegExp(`"${flag}[ "]`).test(source));
  return unknown && `npm run ${name} takes no ${unknown}`;
}

function whyNotOurs(words: readonly string[], program: Command): string | undefined {
  const command = commandOf(words, program);
  if (command === program) return `holdfast has no command ${words[0]}`;
  const unknown = words.filter(isFlag).find(flag => !command.options.some(option => option.long === flag));
  return unknown && `holdfast ${pathOf(command, program)} takes no ${unknown}`;
}

/** As deep as the words go: `migrate plan` is a command of a command. */
function commandOf([name, ...words]: readonly string[], command: Command): Command {
  const next = command.commands.find(each => each.name() === name);
  return next ? commandOf(words, next) : command;
}

function pathOf(command: Command, program: Command): string {
  const { parent } = command;
  return parent && parent !== program ? `${pathOf(parent, program)} ${command.name()}` : command.name();
}

function isFlag(word: string): boolean {
  return word.startsWith("--") && word !== "--";
}
