// What do the looks at a cluster, one after the other, mean, and when is the next one?
import type { Verdict } from "./verdict.js";

/** What is held to be true of one cluster; without a verdict nobody has looked yet. */
export interface Health {
  readonly verdict?: Verdict;
  /** Bad looks in a row. */
  readonly failures: number;
}

/** Milliseconds between looks. */
export interface Rhythm {
  /** While all is well. */
  readonly readyMs: number;
  /** After the first bad look: the second one decides. */
  readonly doubtMs: number;
  /** While it does not answer, so that its return is noticed in under a second. */
  readonly downMs: number;
  /** While something must be changed by a person. */
  readonly brokenMs: number;
}

/** Design of the probe: 10 s while ready, a second look within 1 s, a return noticed in under 1 s. */
export const RHYTHM: Rhythm = { readyMs: 10_000, doubtMs: 500, downMs: 800, brokenMs: 5_000 };

const FAILURES_THAT_COUNT = 2;

/**
 * Takes one more look in. One bad look is a doubt, two in a row are a fact; a certain one, or the very first one, counts
 * at once, as does every good one. While the reason stays, the first sentence stays: words that change are not news.
 */
export function judge(before: Health, seen: Verdict): Health {
  if (seen.status === "True") {
    return { verdict: before.verdict?.status === "True" ? before.verdict : seen, failures: 0 };
  }
  const failures = before.failures + 1;
  const counts = seen.certain || !before.verdict || !isReady(before) || failures >= FAILURES_THAT_COUNT;
  if (!counts) return { verdict: before.verdict, failures };
  return { verdict: before.verdict?.reason === seen.reason ? before.verdict : seen, failures };
}

/** Whether objects may be sent to the cluster. */
export function isReady({ verdict }: Health): boolean {
  return verdict?.status === "True";
}

/** How long until the next look. */
export function nextLookMs(health: Health, rhythm: Rhythm): number {
  if (isReady(health)) return health.failures > 0 ? rhythm.doubtMs : rhythm.readyMs;
  const waitsForPeople = health.verdict?.certain || health.verdict?.reason === "CredentialsRefused";
  return waitsForPeople ? rhythm.brokenMs : rhythm.downMs;
}
