// How old is something, in the few characters of a table's cell?
import { UNKNOWN } from "./table.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** The step is for ages below this. */
  readonly below: number;
  readonly units: readonly (readonly [ms: number, letter: string])[];
}

/** One or two units, as kubectl has them (apimachinery, util/duration HumanDuration). */
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, units: [[SECOND, "s"]] },
  {
    below: 10 * MINUTE,
    units: [
      [MINUTE, "m"],
      [SECOND, "s"],
    ],
  },
  { below: 3 * HOUR, units: [[MINUTE, "m"]] },
  {
    below: 8 * HOUR,
    units: [
      [HOUR, "h"],
      [MINUTE, "m"],
    ],
  },
  { below: 2 * DAY, units: [[HOUR, "h"]] },
  {
    below: 8 * DAY,
    units: [
      [DAY, "d"],
      [HOUR, "h"],
    ],
  },
  { below: 2 * YEAR, units: [[DAY, "d"]] },
  {
    below: 8 * YEAR,
    units: [
      [YEAR, "y"],
      [DAY, "d"],
    ],
  },
  { below: Number.POSITIVE_INFINITY, units: [[YEAR, "y"]] },
];

/** Age of a timestamp (RFC 3339): `45s`, `3d4h`; `<unknown>` without one. A clock that runs a little late shows `0s`. */
export function ageOf(timestamp: string | undefined, now: Date = new Date()): string {
  const ms = timestamp === undefined ? Number.NaN : now.getTime() - Date.parse(timestamp);
  return Number.isNaN(ms) ? UNKNOWN : formatAge(Math.max(ms, 0));
}

/** A time span in one or two units; `ms` is not negative. */
export function formatAge(ms: number): string {
  const { units } = STEPS.find(({ below }) => ms < below) ?? { units: [] };
  let rest = ms;
  const parts = units.map(([size, letter], i) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return i > 0 && amount === 0 ? "" : `${amount}${letter}`;
  });
  return parts.join("");
}
