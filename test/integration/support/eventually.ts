// How does a test wait for something, and how does it show that something stays as it is?
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 40;

/** What a probe answers while it is not so: nothing, or false; an exception counts as "not yet" too. */
type NotYet = undefined | null | false;

/**
 * Asks until the probe answers with something true, and returns that.
 * @throws Error with the description, the ceiling, and what the last try said.
 */
export async function eventually<T>(
  description: string,
  probe: () => Promise<T | NotYet> | T | NotYet,
  ceilingMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + ceilingMs;
  for (;;) {
    const { answer, said } = await tryOnce(probe);
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${ceilingMs} ms: ${description} (last: ${said})`);
    await sleep(POLL_MS);
  }
}

/** As `eventually`; returns how long it took, milliseconds. */
export async function timed(description: string, probe: () => Promise<unknown>, ceilingMs = 30_000): Promise<number> {
  const started = performance.now();
  await eventually(description, async () => (await probe()) || false, ceilingMs);
  return Math.round(performance.now() - started);
}

/**
 * Looks again and again, and demands the same answer each time.
 * @throws Error that says what it was and what it became.
 */
export async function stays<T>(description: string, probe: () => Promise<T>, forMs: number): Promise<T> {
  const deadline = performance.now() + forMs;
  const first = await probe();
  const before = JSON.stringify(first);
  while (performance.now() < deadline) {
    await sleep(POLL_MS * 5);
    const after = JSON.stringify(await probe());
    if (after !== before) throw new Error(`did not stay: ${description}: ${before} became ${after}`);
  }
  return first;
}

async function tryOnce<T>(probe: () => Promise<T> | T): Promise<{ answer?: T; said: string }> {
  try {
    const answer = await probe();
    return { answer, said: JSON.stringify(answer) ?? "nothing" };
  } catch (error) {
    return { said: error instanceof Error ? error.message : String(error) };
  }
}
