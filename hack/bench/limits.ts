// Which promises about cost are there, and which of them does a run break?
import { perObject, type Figures } from "./figures.js";
import type { PhaseName } from "./options.js";

/** Host requests per template on two members, leases and probes apart: they do not depend on the machine. */
export const REQUESTS: Readonly<Record<PhaseName, number>> = {
  latency: 10,
  "latency-b2b": 10,
  burst: 10,
  burst2: 10,
  update: 7,
  flip: 6,
  // Four for each copy that is let go of, and now and then the policy's count of what it holds.
  rollback: 8.1,
  "delete-preserve": 8.1,
  delete: 9,
  // No template is in it: here it is all requests of the phase.
  idle: 0,
};
/** Requests to each member for one copy that is let go of. */
export const RELEASE_REQUESTS = 4;
/** Admission and watcher together, MiB. */
export const PEAK_MIB = 430;
/** Admission and watcher together, to the host and two members: a watch has one of its own. */
export const OPEN_CONNECTIONS = 90;
/** One connection for every request would be 1. */
export const CONNECTIONS_PER_REQUEST = 0.05;

/** Each broken promise as a sentence; none when all are kept. */
export function brokenLimits(phases: readonly Figures[]): string[] {
  return phases.flatMap(figures => {
    const { phase } = figures;
    const problems = [failed(figures), ...tooMuch(figures)].filter(problem => problem !== undefined);
    return problems.map(problem => `${phase}: ${problem}`);
  });
}

function failed({ ok, facts = {} }: Figures): string | undefined {
  if (ok) return undefined;
  const words = Object.entries(facts).map(([name, count]) => `${name} ${count}`);
  return `did not come to its end${words.length > 0 ? ` (${words.join(", ")})` : ""}`;
}

function tooMuch(figures: Figures): (string | undefined)[] {
  const { phase, peakMiB, openConnections } = figures;
  const requests = phase === "idle" ? figures.host.work : perObject(figures).work;
  const ratio = figures.newConnections / Math.max(1, requestsToAll(figures));
  return [
    above(requests, REQUESTS[phase], phase === "idle" ? "requests while nothing changes" : "host requests per object"),
    peakMiB < PEAK_MIB ? undefined : `${Math.round(peakMiB)} MiB resident, allowed are less than ${PEAK_MIB}`,
    openConnections < OPEN_CONNECTIONS
      ? undefined
      : `${openConnections} open connections, allowed are less than ${OPEN_CONNECTIONS}`,
    ...membersOf(figures),
    // A handful of connections is what a pool opens when there is much to do at once.
    figures.newConnections <= OPEN_CONNECTIONS
      ? undefined
      : above(ratio, CONNECTIONS_PER_REQUEST, "connections made per request"),
  ];
}

function membersOf({ phase, objects, members }: Figures): (string | undefined)[] {
  if (phase !== "rollback" && phase !== "delete-preserve") return [];
  return Object.entries(members).map(([name, { work }]) =>
    above(work / objects, RELEASE_REQUESTS, `requests to ${name} per copy`),
  );
}

function above(value: number, limit: number, what: string): string | undefined {
  return value <= limit ? undefined : `${Number(value.toFixed(2))} ${what}, allowed are ${limit}`;
}

function requestsToAll({ host, members }: Figures): number {
  return Object.values(members).reduce((sum, { total }) => sum + total, host.total);
}
