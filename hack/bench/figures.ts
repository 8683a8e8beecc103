// What does one phase of a bench come to?
import type { PhaseName } from "./options.js";
import type { Requests } from "./request-counts.js";

/** What a phase itself tells; everything else is measured around it. */
export interface Outcome {
  /** Whether everything came to be, and nothing was lost. */
  readonly ok: boolean;
  /** Until the phase's goal was reached; undefined where there is none but time. */
  readonly seconds?: number;
  /** From POST to visible in both members, milliseconds. */
  readonly latency?: Quantiles;
  /** Anything worth a name: lost, intact, works left. */
  readonly facts?: Readonly<Record<string, number>>;
}

/** Of a set of durations, milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

/** One phase, measured until its trailing writes had ended. */
export interface Figures extends Outcome {
  readonly phase: PhaseName;
  /** Templates that the phase was about; 0 when it was about none. */
  readonly objects: number;
  /** From the goal until the host was quiet. */
  readonly settleSeconds: number;
  /** The driver's own requests are not in it. */
  readonly host: Requests;
  readonly members: Readonly<Record<string, Requests>>;
  /** Processor time of the operator, seconds. */
  readonly cpuSeconds: number;
  /** Peak of resident memory of the operator's processes together, MiB. */
  readonly peakMiB: number;
  readonly openConnections: number;
  readonly newConnections: number;
}

/** Host requests per template: as the API server counts them, and without leases and probes. */
export function perObject({ host, objects }: Pick<Figures, "host" | "objects">): { total: number; work: number } {
  return objects === 0 ? { total: 0, work: 0 } : { total: host.total / objects, work: host.work / objects };
}

/** Templates per second; undefined where that says nothing. */
export function perSecond({ objects, seconds }: Pick<Figures, "objects" | "seconds">): number | undefined {
  return objects > 0 && seconds ? objects / seconds : undefined;
}

/** Nearest-rank quantiles; both 0 when there is nothing. */
export function quantiles(durations: readonly number[]): Quantiles {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (q: number): number => sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
