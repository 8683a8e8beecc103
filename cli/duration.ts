// How long is "60s"?
import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Milliseconds of a Go duration such as `60s`, `1m30s` or `500ms`. @throws InvalidArgumentError, which commander words */
export function parseDuration(text: string): number {
  if (!DURATION.test(text)) throw new InvalidArgumentError("write a duration such as 60s or 2m");
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce((sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
