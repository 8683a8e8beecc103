// How is one batch run, and what is found?
import { setTimeout as sleep } from "node:timers/promises";
import type { Batch } from "../model/commands.js";
import { inOrder, type Accepted } from "../model/history.js";
import { expectationOf } from "../model/orders.js";
import { judge, type Verdict } from "../model/verdict.js";
import { Actor } from "./actor.js";
import { causeDepartures, causeTrouble, type Trouble } from "./faults.js";
import type { Fleet } from "./fleet.js";
import type { Journal } from "./journal.js";
import { PREFIX } from "./objects.js";
import { perform } from "./perform.js";
import { reportOf } from "./report.js";
import { Writer } from "./writes.js";

/** From everything being reachable again until all is as it should be, milliseconds (issue 4, section 2). */
const CONVERGENCE_MS = 60_000;
const ARRIVAL_MS = 60_000;
const POLL_MS = 100;

/** What came of a batch. */
export interface Outcome extends Pick<Verdict, "kept" | "deleted" | "widened"> {
  /** One report per app that failed. */
  readonly failures: readonly string[];
  readonly lostAnswers: number;
  /** From the end of all trouble until the last app was as it should be, milliseconds. */
  readonly convergedMs: number;
}

/** Runs all apps of a batch through its faults, and judges them when everything has been reachable for long enough. */
export async function runBatch(batch: Batch, label: string, fleet: Fleet, journal: Journal): Promise<Outcome> {
  const tools = { writer: new Writer(fleet.host.client), journal, perform };
  const actors = batch.apps.map((app, n) => new Actor(`${PREFIX}${label}-${n}`, app, tools));
  const departed = batch.departures.map(({ member }) => member);
  const trouble: Trouble = { lines: [], disturbances: [], changes: [] };
  await Promise.all(actors.filter(({ app }) => app.settled).map(actor => arrive(actor)));
  await Promise.all([
    causeTrouble(fleet, batch.faults, trouble),
    causeDepartures(batch, tools.writer, trouble),
    ...actors.map(async actor => {
      if (!actor.app.settled) await actor.open();
      await actor.play();
    }),
  ]);
  await fleet.heal(departed);
  if (batch.faults.some(({ fault }) => fault.endsWith("host"))) await fleet.untilTidied();
  trouble.lines.push({ ms: Date.now(), text: "! everything is reachable" });
  const healed = Date.now();
  const verdicts = await untilDone(actors, trouble, healed + CONVERGENCE_MS);
  const failures = verdicts.flatMap((verdict, n) => {
    const actor = actors[n];
    if (!actor || (verdict.lost.length === 0 && verdict.open.length === 0)) return [];
    return reportOf({ actor, verdict, trouble, fleet, history: historyOf(actor, trouble) });
  });
  for (const member of departed) await fleet.join(member);
  const sum = (pick: (verdict: Verdict) => number): number => verdicts.reduce((all, one) => all + pick(one), 0);
  return {
    failures,
    kept: sum(({ kept }) => kept),
    deleted: sum(({ deleted }) => deleted),
    widened: sum(({ widened }) => widened),
    lostAnswers: actors.reduce((all, { lostAnswers }) => all + lostAnswers, 0),
    convergedMs: Date.now() - healed,
  };
}

async function arrive(actor: Actor): Promise<void> {
  await actor.open();
  const deadline = Date.now() + ARRIVAL_MS;
  while (!actor.isSettled()) {
    if (Date.now() > deadline) throw new Error(`${actor.name}: not in both members after ${ARRIVAL_MS} ms`);
    await sleep(POLL_MS);
  }
}

/** Asks again until nothing is open; what is lost stays lost. */
async function untilDone(actors: readonly Actor[], trouble: Trouble, deadline: number): Promise<readonly Verdict[]> {
  for (;;) {
    const verdicts = actors.map(actor => verdictOn(actor, trouble));
    const isDone = verdicts.every(({ lost, open }) => lost.length > 0 || open.length === 0);
    if (isDone || Date.now() > deadline) return verdicts;
    await sleep(POLL_MS);
  }
}

/** The verdict on one app at this moment. */
function verdictOn(actor: Actor, trouble: Trouble): Verdict {
  const { journal } = actor.tools;
  const { copies } = journal.page(actor.name);
  const expected = expectationOf(historyOf(actor, trouble), trouble.disturbances);
  return judge(expected, [...copies.values()], journal.remains(actor.name));
}

/** What its story wrote down, and what only the watches saw; of two about one deletion the more exact one. */
function historyOf(actor: Actor, { changes }: Trouble): readonly Accepted[] {
  const own = actor.history;
  const known = new Map(own.flatMap(one => (isLeaving(one) ? [[keyOf(one), one] as const] : [])));
  const seen = actor.tools.journal.page(actor.name).changes.filter(one => !isLeaving(one) || !known.has(keyOf(one)));
  return inOrder([...own, ...seen, ...changes]);
}

const isLeaving = ({ change }: Accepted): boolean =>
  change.type === "template-leaving" || change.type === "policy-leaving";

function keyOf({ change }: Accepted): string {
  return "uid" in change ? change.uid : "id" in change ? change.id : "";
}
