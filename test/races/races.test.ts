// Does nothing get lost by any order of events? Random stories against real API servers and two real operators.
import { inject, it } from "vitest";
import { batchOf, BATCH_SIZE } from "./model/draw.js";
import { runBatch, type Outcome } from "./support/batch.js";
import { Fleet } from "./support/fleet.js";
import { Journal } from "./support/journal.js";

/** With a limit in minutes: at least so many, however long they take. */
const LEAST = 500;
/** With every `npm test`: always the same ones, so that a failure is about the change. `npm run test:races` asks for others. */
const USUAL = { seed: 1, runs: 500 };
const ASKED = setting("RUNS");
const RUNS = ASKED ?? USUAL.runs;
const MINUTES = setting("MINUTES") ?? Infinity;
const SEED = setting("SEED") ?? (ASKED === undefined ? USUAL.seed : Date.now() % 1_000_000_000);
/** For whoever looks for everything that is wrong, and not only for the first. */
const GOES_ON = process.env["HOLDFAST_RACES_GO_ON"] !== undefined;
/** Draws also what hands do to our finalizer: not all of that comes out right yet (docs/guides/rollback.md). */
const HANDLING = process.env["HOLDFAST_RACES_HANDLING"] !== undefined;
/** Batches that one set of clusters sees: what is kept stays there, and what is kept must stay kept. */
const BATCHES_PER_FLEET = 25;
const DAY_MS = 24 * 3_600_000;

it(
  "keeps what was last said to be kept and deletes what was last said to be deleted",
  async () => {
    const stories = new Stories();
    const ended = await Promise.allSettled(inject("races").map(dir => stories.tellIn(dir)));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
    say(stories.summary());
    stories.tally.demandNone();
  },
  DAY_MS,
);

/** What is told in all sets of clusters together. */
class Stories {
  readonly tally = new Tally();
  readonly #began = Date.now();
  #seed = SEED;
  #asked = 0;
  #isBroken = false;

  /** Tells one batch after the other, in new clusters when these have seen enough, until there is no more to tell. */
  async tellIn(dir: string): Promise<void> {
    try {
      for (let seed = this.#next(); seed !== undefined; ) {
        seed = await withClusters(dir, (fleet, journal) => this.#tellOnce(seed, fleet, journal));
      }
    } catch (error) {
      // The others end with their batch: what broke here is to be seen soon.
      this.#isBroken = true;
      throw error;
    }
  }

  summary(): string {
    const { runs } = this.tally;
    return `${runs} runs in ${this.#minutes().toFixed(1)} minutes: ${(runs / this.#minutes()).toFixed(0)} a minute`;
  }

  /** From this seed on; answers the one that is for other clusters, if any. */
  async #tellOnce(first: number | undefined, fleet: Fleet, journal: Journal): Promise<number | undefined> {
    let seed = first;
    for (let n = 0; n < BATCHES_PER_FLEET && seed !== undefined; n++) {
      say(`HOLDFAST_RACES_SEED=${seed}`);
      const started = Date.now();
      this.tally.add(seed, await runBatch(batchOf(seed, { handling: HANDLING }), String(seed), fleet, journal));
      say(`  ${seed}: ${((Date.now() - started) / 1000).toFixed(1)} s; ${this.tally.summary()}`);
      if (!GOES_ON) this.tally.demandNone();
      seed = this.#next();
    }
    return seed;
  }

  #next(): number | undefined {
    const isLate = this.#minutes() > MINUTES && this.#asked >= LEAST;
    if (this.#asked >= RUNS || isLate || this.#isBroken) return undefined;
    this.#asked += BATCH_SIZE;
    return this.#seed++;
  }

  #minutes(): number {
    return (Date.now() - this.#began) / 60_000;
  }
}

class Tally {
  runs = 0;
  readonly #counts = { kept: 0, deleted: 0, widened: 0, lostAnswers: 0 };
  readonly #failures: string[] = [];
  #slowestMs = 0;

  add(seed: number, outcome: Outcome): void {
    this.runs += BATCH_SIZE;
    for (const key of ["kept", "deleted", "widened", "lostAnswers"] as const) this.#counts[key] += outcome[key];
    this.#slowestMs = Math.max(this.#slowestMs, outcome.convergedMs);
    const again = `HOLDFAST_RACES_SEED=${seed} HOLDFAST_RACES_RUNS=${BATCH_SIZE} npm run test:races`;
    const reports = outcome.failures.map(report => `again: ${again}\n${report}`);
    for (const report of reports) say(report);
    this.#failures.push(...reports);
  }

  summary(): string {
    const { kept, deleted, widened, lostAnswers } = this.#counts;
    const beyond = `${widened} of them beyond the rules`;
    return `${this.runs} runs: ${kept} copies kept (${beyond}), ${deleted} deleted, ${lostAnswers} answers lost, all as it should be within ${this.#slowestMs} ms, ${this.#failures.length} failed`;
  }

  /** @throws Error with every report, when there is one. */
  demandNone(): void {
    if (this.#failures.length > 0) throw new Error(this.#failures.join("\n\n"));
  }
}

async function withClusters<T>(dir: string, use: (fleet: Fleet, journal: Journal) => Promise<T>): Promise<T> {
  const fleet = await Fleet.up(dir);
  const journal = new Journal(fleet.env);
  try {
    await journal.start();
    return await use(fleet, journal);
  } finally {
    await journal.end();
    await fleet.down();
  }
}

function setting(name: string): number | undefined {
  return Number(process.env[`HOLDFAST_RACES_${name}`]) || undefined;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
