// How is a step of the story acted: commands shown, run and looked at?
import { ask, until, type Env } from "../clusters/index.js";
import { join } from "node:path";
import { preparePlace, shellEnv, type Place } from "./place.js";
import { runLine, type Shell } from "./shell.js";
import type { Terminal } from "./terminal.js";

/** How a command is meant to end. */
export type Ending = "done" | "refused" | "any";

/** What the steps of the story act with. */
export interface Stage {
  readonly place: Place;
  heading(title: string): void;
  say(text: string): void;
  see(text: string): void;
  /** Shows a line, runs it, shows and answers what it printed. @throws Error when it does not end as it is meant to. */
  run(line: string, ending?: Ending): Promise<string>;
  /** Checks what is known already. @throws Error with the sentence when it does not hold. */
  check(sentence: string, holds: boolean): void;
  /** Waits until an API server says so. @throws Error with the sentence when that takes more than 30 s. */
  until(sentence: string, holds: () => Promise<boolean>): Promise<void>;
  /** The object or list at a path of a cluster's API; undefined when there is none. */
  read<T>(cluster: string, path: string): Promise<T | undefined>;
}

/** What a stage is built of. */
export interface Setting {
  readonly env: Env;
  /** The repository; commands run there. */
  readonly root: string;
  readonly terminal: Terminal;
  /** Whether what has been checked is shown. */
  readonly showChecks: boolean;
  /** The next heading's number. */
  readonly from: number;
  readonly signal: AbortSignal;
}

const CEILING_MS = 30_000;

/** A stage on clusters that are up. */
export function stageOn({ env, root, terminal, showChecks, from, signal }: Setting): Stage {
  const place = preparePlace(env, root);
  const shell: Shell = { cwd: root, env: shellEnv(place, process.env), signal };
  let number = from;
  const held = (sentence: string): void => (showChecks ? terminal.held(sentence) : undefined);
  return {
    place,
    heading: title => terminal.heading(number++, title),
    say: terminal.say,
    see: terminal.see,
    run: (line, ending = "done") => act(line, ending, { shell, terminal }),
    check: (sentence, holds) => {
      if (!holds) throw new Error(`not so: ${sentence}`);
      held(sentence);
    },
    until: async (sentence, holds) => {
      await until(sentence, () => orInterrupted(signal, holds), CEILING_MS);
      held(sentence);
    },
    read: (cluster, path) => readFrom(env, cluster, path),
  };
}

interface Acting {
  readonly shell: Shell;
  readonly terminal: Terminal;
}

async function act(line: string, ending: Ending, { shell, terminal }: Acting): Promise<string> {
  terminal.command(line);
  const { code, output } = await runLine(line, shell);
  if (output) terminal.output(output);
  if (ending === "done" && code !== 0) throw new Error(`${line}: ended with ${code}`);
  if (ending === "refused" && code === 0) throw new Error(`${line}: was not refused`);
  return output;
}

async function orInterrupted(signal: AbortSignal, holds: () => Promise<boolean>): Promise<boolean> {
  if (signal.aborted) throw new Error("interrupted");
  return holds();
}

async function readFrom<T>({ dir, host, members }: Env, cluster: string, path: string): Promise<T | undefined> {
  const access = cluster === "host" ? host : members[cluster];
  if (!access) throw new Error(`${cluster}: no such cluster`);
  const { status, body } = await ask({ server: access.server, dir: join(dir, cluster) }, "GET", path);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${cluster}: GET ${path}: ${status}`);
  return body as T;
}
