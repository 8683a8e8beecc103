// Who breaks what all apps of a batch depend on, and when was nobody able to decide?
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../../crds/cluster.js";
import * as kinds from "../../../lib/kube/kinds.js";
import type { Batch, Departure, Fault, FaultStep, Member } from "../model/commands.js";
import type { Disturbance } from "../model/doubt.js";
import type { Accepted } from "../model/history.js";
import { OPERATORS, type Fleet, type Operator } from "./fleet.js";
import type { Line } from "./journal.js";
import type { Writer } from "./writes.js";

/** Trouble of a member or of the webhooks delays what is decided, or refuses it; it does not hide what decides. */
const HARMLESS = /member|admission/;

/** What a batch went through. */
export interface Trouble {
  readonly lines: Line[];
  readonly disturbances: Disturbance[];
  /** What befell all apps alike. */
  readonly changes: Accepted[];
}

/** Breaks and mends, one after the other; what is still broken in the end is for `heal()`. */
export async function causeTrouble(fleet: Fleet, steps: readonly FaultStep[], trouble: Trouble): Promise<void> {
  for (const { afterMs, fault, forMs } of steps) {
    await sleep(afterMs);
    const fromMs = Date.now();
    trouble.lines.push({ ms: fromMs, text: `! ${fault} for ${forMs} ms` });
    const disturbance = { fromMs, toMs: Infinity, what: fault };
    if (!HARMLESS.test(fault)) trouble.disturbances.push(disturbance);
    await BREAKERS[fault](fleet, forMs);
    if (fault !== "compact-history") disturbance.toMs = Date.now();
    trouble.lines.push({ ms: Date.now(), text: `! ${fault} is over` });
  }
}

/** Deletes Clusters. One that is not always reachable meanwhile may be left as it is. */
export async function causeDepartures({ departures, faults }: Batch, writer: Writer, trouble: Trouble): Promise<void> {
  await Promise.all(departures.map(one => depart(one, faults, { writer, trouble })));
}

async function depart(
  { afterMs, member, withSecret }: Departure,
  faults: readonly FaultStep[],
  { writer, trouble }: { readonly writer: Writer; readonly trouble: Trouble },
): Promise<void> {
  await sleep(afterMs);
  if (withSecret) await deleteCredentials(member, writer, trouble);
  const ms = Date.now();
  const answer = await writer.delete(kinds.CLUSTERS, { name: member });
  const at = answer.outcome === "accepted" && Number(answer.object?.metadata.resourceVersion);
  if (!at) throw new Error(`${member}: its Cluster was not deleted: ${JSON.stringify(answer)}`);
  trouble.lines.push({ ms, text: `! Cluster ${member} is deleted @${at}` });
  const reachable = !withSecret && !faults.some(({ fault }) => fault.endsWith(member));
  trouble.changes.push({ from: at, at, ms, change: { type: "cluster-leaving", member, reachable } });
}

async function deleteCredentials(member: Member, writer: Writer, { lines }: Trouble): Promise<void> {
  const cluster = (await writer.read(kinds.CLUSTERS, { name: member })) as Cluster | undefined;
  const secret = cluster?.spec.secretRef;
  if (!secret) throw new Error(`${member}: its Cluster names no Secret`);
  const answer = await writer.delete(kinds.SECRETS, secret);
  if (answer.outcome === "refused") throw new Error(`${member}: its Secret was not deleted: ${JSON.stringify(answer)}`);
  lines.push({ ms: Date.now(), text: `! Secret of ${member} is deleted` });
}

const BREAKERS: Readonly<Record<Fault, (fleet: Fleet, forMs: number) => Promise<void>>> = {
  "kill-leader": async (fleet, forMs) => down(fleet, await leaders(fleet), "kill", forMs),
  "stop-leader": async (fleet, forMs) => down(fleet, await leaders(fleet), "stop", forMs),
  "kill-operator": (fleet, forMs) => down(fleet, OPERATORS, "kill", forMs),
  "freeze-leader": async (fleet, forMs) => freeze(fleet, await leaders(fleet), forMs),
  "freeze-operator": (fleet, forMs) => freeze(fleet, OPERATORS, forMs),
  "kill-host": (fleet, forMs) => down(fleet, ["host-apiserver"], "kill", forMs / 3),
  "stop-host": (fleet, forMs) => down(fleet, ["host-apiserver"], "stop", forMs / 3),
  "kill-member1": (fleet, forMs) => down(fleet, ["member1-apiserver"], "kill", forMs),
  "stop-member2": (fleet, forMs) => down(fleet, ["member2-apiserver"], "stop", forMs),
  "freeze-member1": (fleet, forMs) => freeze(fleet, ["member1-apiserver"], forMs),
  "freeze-member2": (fleet, forMs) => freeze(fleet, ["member2-apiserver"], forMs),
  "kill-admission": (fleet, forMs) => down(fleet, ["admission"], "kill", forMs),
  "stop-admission": (fleet, forMs) => down(fleet, ["admission"], "stop", forMs),
  "freeze-admission": (fleet, forMs) => freeze(fleet, ["admission"], forMs),
  "compact-history": fleet => fleet.compactHistory(),
};

async function leaders(fleet: Fleet): Promise<readonly Operator[]> {
  return [(await fleet.leader()) ?? "watcher"];
}

async function down(fleet: Fleet, names: readonly string[], how: "kill" | "stop", forMs: number): Promise<void> {
  await Promise.all(names.map(name => fleet[how](name)));
  await sleep(forMs);
  for (const name of names) await fleet.start(name);
  await untilLed(fleet, names);
}

async function freeze(fleet: Fleet, names: readonly string[], forMs: number): Promise<void> {
  for (const name of names) fleet.freeze(name);
  await sleep(forMs);
  for (const name of names) fleet.thaw(name);
  // One that has lost its Lease ends, and is started again as a Deployment would.
  await sleep(500);
  for (const name of names) await fleet.start(name);
  await untilLed(fleet, names);
}

async function untilLed(fleet: Fleet, names: readonly string[]): Promise<void> {
  if (!names.every(name => HARMLESS.test(name))) await fleet.untilLed();
}
