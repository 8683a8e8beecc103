// The command `completion`, and the hidden one that its scripts call.
import { Argument, type Command } from "commander";
import { examples } from "../examples.js";
import type { Shell } from "../shell.js";
import { complete, type Answer, type Names } from "./candidates.js";
import { liveNames } from "./names.js";
import { DIRECTIVE, scriptFor, SHELLS, type ShellName } from "./scripts.js";

/** Adds `completion`. */
export function addCompletion(program: Command, { output }: Shell): void {
  program
    .command("completion")
    .helpGroup("Other:")
    .description("Print the script by which a shell completes commands, kinds, names, members and namespaces.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      examples(
        "source <(holdfast completion bash)                # this shell; the same line in ~/.bashrc for all",
        "source <(holdfast completion zsh)                 # after compinit",
        "holdfast completion fish | source",
      ),
    )
    .action((shell: ShellName) => output.print(scriptFor(shell).trimEnd()));
}

/**
 * What `__complete` prints for the words behind the program's name: a candidate a line, what it is behind a tab, and in the
 * last line what the shell shall do beside it.
 */
export async function completionLines(
  program: Command,
  words: readonly string[],
  names: Names = liveNames(),
): Promise<readonly string[]> {
  const answer = await complete(program, words, names);
  return [...answer.candidates.map(lineOf), `:${directiveFor(answer)}`];
}

function lineOf({ value, description }: Answer["candidates"][number]): string {
  return description ? `${value}\t${description}` : value;
}

function directiveFor({ files }: Answer): number {
  return files ? DIRECTIVE.files : DIRECTIVE.noFiles;
}
