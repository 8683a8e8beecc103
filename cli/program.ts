// Which commands are there, and what does the help say?
import { Command, CommanderError, Option } from "commander";
import { addCheck } from "./check/command.js";
import { addClusterCommands } from "./cluster-commands.js";
import { addGet } from "./get/command.js";
import { addCompletion, completionLines } from "./completion/command.js";
import { COMPLETE } from "./completion/scripts.js";
import { colorsFor } from "./output/color.js";
import { voicesOf, type Streams, type Wishes } from "./output/output.js";
import { addDiff } from "./diff/command.js";
import { addLogLevel } from "./log-level/command.js";
import { addPromote } from "./promote/command.js";
import { addPreserve } from "./preserve/command.js";
import { addMigrate } from "./migrate/command.js";
import { EXIT, Problem } from "./problem.js";
import { addRollout } from "./rollout/command.js";
import { addRollback } from "./rollback/command.js";
import type { Shell } from "./shell.js";
import { addSupportBundle } from "./support-bundle/command.js";
import { addTemplates } from "./templates/command.js";
import { addTree } from "./tree/command.js";
import { addVersion } from "./version/command.js";

/** What a run of the program may touch. */
export interface World extends Streams {
  readonly env: NodeJS.ProcessEnv;
}

const EXIT_CODES = `
Exit codes: ${EXIT.ok} done, ${EXIT.failed} failed, ${EXIT.usage} wrong flags or input, ${EXIT.timeout} ran out of time,\n  ${EXIT.unproven} ended, but something is not known to be done.`;

/**
 * The whole command line. Throws CommanderError instead of ending the process. `finish` gets the exit code of a command
 * that ends without an error and has more to tell than 0.
 */
export function createProgram(world: World, finish: Shell["finish"] = () => undefined): Command {
  const program = new Command("holdfast")
    .description("Puts workloads into many clusters, and can always let go.")
    .option("-v, --verbosity <level>", "how much errors tell: 5 adds the stack trace", "0")
    .addOption(choice("--color <when>", "colours: on a terminal unless NO_COLOR is set, or", "always", "never"))
    .addOption(choice("--progress <how>", "how far a command is: told on a terminal, or", "plain", "none"))
    .exitOverride()
    .configureOutput({
      writeOut: text => void world.stdout.write(text),
      writeErr: text => void world.stderr.write(text),
    })
    .showSuggestionAfterError()
    .addHelpText("after", EXIT_CODES);
  const shell = shellOf(world, program, finish);
  addGet(program, shell);
  addTree(program, shell);
  addDiff(program, shell);
  addRollback(program, shell);
  addPreserve(program, shell);
  addPromote(program, shell);
  addRollout(program, shell);
  addMigrate(program, shell);
  addTemplates(program, shell);
  addClusterCommands(program, shell.output);
  addCheck(program, shell);
  addLogLevel(program, shell);
  addSupportBundle(program, shell);
  addCompletion(program, shell);
  addVersion(program, shell);
  program.helpCommand("help [command]", "Show the help of a command.");
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function choice(flags: string, description: string, ...others: readonly string[]): Option {
  return new Option(flags, description).choices(["auto", ...others]).default("auto");
}

/** Flags are read when something is written: at this moment none of them is known. */
function shellOf(world: World, program: Command, finish: Shell["finish"]): Shell {
  const wishes = () => program.opts<Wishes>();
  return {
    ...voicesOf(world, world.env, wishes),
    env: world.env,
    colors: () => colorsFor(world.stdout.isTTY === true, world.env, wishes().color),
    finish,
  };
}

/** Runs one command line (without node and script) and returns its exit code; never throws. */
export async function run(args: readonly string[], world: World): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(world, code => (exitCode = code));
  const [first, ...words] = args;
  if (first === COMPLETE) return answerShell(program, words, world);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const level = Number(String(program.opts<{ verbosity: string }>().verbosity).replace(/^=/, ""));
    world.stderr.write(describe(error, level >= 5));
    return error instanceof Problem ? error.exitCode : EXIT.failed;
  }
}

/** Whatever is being written, flags that are not whole included, is data here: nothing of it is parsed. */
async function answerShell(program: Command, words: readonly string[], { stdout }: World): Promise<number> {
  for (const line of await completionLines(program, words)) stdout.write(`${line}\n`);
  return EXIT.ok;
}

/** One line and a hint; the stack only for those who ask for it. */
function describe(error: unknown, withStack: boolean): string {
  const words = error instanceof Error ? error.message : String(error);
  const lines = [`error: ${words.replaceAll("\n", " ")}`];
  if (error instanceof Problem && error.hint) lines.push(`hint: ${error.hint}`);
  if (withStack && error instanceof Error) lines.push(error.stack ?? "");
  return `${lines.join("\n")}\n`;
}
