// What is measured, how often, and on which clusters?
import { Command, InvalidArgumentError } from "commander";

/** The phases, in the order in which they build on each other. */
export const PHASES: readonly PhaseName[] = [
  "latency",
  "latency-b2b",
  "rollback",
  "burst",
  "update",
  "idle",
  "flip",
  "delete-preserve",
  "burst2",
  "delete",
];

/** A part of the run. */
export type PhaseName =
  | "latency"
  | "latency-b2b"
  | "rollback"
  | "burst"
  | "update"
  | "idle"
  | "flip"
  | "delete-preserve"
  | "burst2"
  | "delete";

/** What one run is asked for. */
export interface BenchOptions {
  /** Templates of a burst. */
  readonly n: number;
  readonly phases: readonly PhaseName[];
  /** Members with schedulers and nodes. */
  readonly nodes: boolean;
  /** Clusters that are up already, and stay up. */
  readonly dir?: string;
  /** Where the figures are written as JSON. */
  readonly out?: string;
  /** Whether a broken limit is a failure. */
  readonly check: boolean;
  /** Tries of each latency phase. */
  readonly tries: number;
  /** Pause between the tries of `latency`, milliseconds. */
  readonly gapMs: number;
  /** Length of `idle`, seconds. */
  readonly idleSeconds: number;
}

/** The command line; `act` gets what it was asked for. */
export function benchCommand(act: (options: BenchOptions) => Promise<void>): Command {
  return new Command("bench")
    .description("measures propagation to two members, and compares it with Karmada's figures")
    .option("--n <count>", "templates of a burst, half ConfigMaps, half Deployments", wholeNumber, 1000)
    .option("--phases <names>", `with commas, of ${PHASES.join(",")}`, phaseNames, PHASES)
    .option("--nodes", "members with schedulers and nodes: pods turn Ready", false)
    .option("--dir <dir>", "clusters that are up with the operator and two members; they stay up")
    .option("--out <dir>", "write the figures to <dir>/bench.json")
    .option("--check", "fail when a limit is broken", false)
    .option("--tries <count>", "tries of each latency phase", wholeNumber, 50)
    .option("--gap-ms <ms>", "pause between the tries of latency", wholeNumber, 2000)
    .option("--idle-seconds <s>", "length of idle", wholeNumber, 60)
    .action(act);
}

/** @throws InvalidArgumentError for anything but digits. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("write a whole number above 0.");
  return Number(text);
}

/** @throws InvalidArgumentError for a name that is no phase, and for phases that need another one before them. */
export function phaseNames(text: string): PhaseName[] {
  const names = text.split(",").map(name => PHASES.find(phase => phase === name) ?? unknownPhase(name));
  let present = false;
  for (const name of names) {
    if (!present && NEEDS_OBJECTS.has(name)) throw new InvalidArgumentError(`${name} needs a burst before it.`);
    present = name.startsWith("burst") || (present && !name.startsWith("delete"));
  }
  return names;
}

const NEEDS_OBJECTS: ReadonlySet<PhaseName> = new Set(["update", "flip", "delete-preserve", "delete"]);

function unknownPhase(name: string): never {
  throw new InvalidArgumentError(`${name || "(nothing)"}: no such phase; there are ${PHASES.join(", ")}.`);
}
