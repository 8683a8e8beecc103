// What amount does a Kubernetes quantity stand for, and how is it written?

/** How a quantity was written: `1500m`, `1Gi` or `3e6`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** An exact amount in billionths, the finest that Kubernetes keeps. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

interface Scale {
  readonly base: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const NANO_DIGITS = 9;
const NANO = 10n ** 9n;
const MAX_NANO = (2n ** 63n - 1n) * NANO;
const MAX_EXPONENT = 10_000;
const QUANTITY = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)$/;
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * Reads a quantity exactly. As the API server does, what is finer than a billionth is rounded away from zero and what
 * lies beyond a signed 64-bit integer stops there. Source: apimachinery `resource.Quantity`.
 * @throws RangeError when the text is not a quantity
 */
export function parseQuantity(text: string | number): Quantity {
  const [, sign, digits, suffix] = QUANTITY.exec(plainText(text)) ?? [];
  if (digits === undefined || suffix === undefined) {
    throw new RangeError(`"${text}" is not a quantity; write a number with an optional suffix, such as 500m, 2Gi or 3`);
  }

  const scale = scaleOf(suffix);
  const [whole = "", fraction = ""] = digits.split(".");
  const magnitude = toNano(BigInt(whole + fraction), fraction.length, scale);
  const capped = magnitude > MAX_NANO ? MAX_NANO : magnitude;
  return { nano: sign === "-" ? -capped : capped, format: scale.format };
}

/** Writes a quantity in the one form that the API server gives back: no fraction, the largest fitting suffix. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return "0";
  const whole = nano % NANO === 0n;
  const small = nano > -1024n * NANO && nano < 1024n * NANO;
  if (format === "BinarySI" && whole && !small) return withSuffix(nano / NANO, 1024n, BINARY_SUFFIXES);
  if (format === "DecimalExponent") return withExponent(nano);
  return withSuffix(nano, 1000n, DECIMAL_SUFFIXES);
}

/** The exact sum, written as the left one was, or as the right one where the left is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format };
}

/** A JavaScript number writes large and small values as `1e+21`, which is a quantity too. */
function plainText(text: string | number): string {
  return typeof text === "number" ? String(text) : text;
}

function scaleOf(suffix: string): Scale {
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { base: 2n, exponent: binary * 10, format: "BinarySI" };
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal >= 0) return { base: 10n, exponent: (decimal - 3) * 3, format: "DecimalSI" };

  // No amount needs more digits than this, and an exponent must not cost memory.
  const exponent = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(suffix.slice(1))));
  return { base: 10n, exponent, format: "DecimalExponent" };
}

function toNano(unscaled: bigint, fractionDigits: number, { base, exponent }: Scale): bigint {
  const decimals = NANO_DIGITS - fractionDigits + (base === 10n ? exponent : 0);
  const amount = base === 2n ? unscaled << BigInt(exponent) : unscaled;
  if (decimals >= 0) return amount * 10n ** BigInt(decimals);
  const divisor = 10n ** BigInt(-decimals);
  return (amount + divisor - 1n) / divisor;
}

function withSuffix(amount: bigint, step: bigint, suffixes: readonly string[]): string {
  const { rest, steps } = reduce(amount, step, suffixes.length - 1);
  return `${rest}${suffixes[steps] ?? ""}`;
}

function withExponent(nano: bigint): string {
  const { rest, steps } = reduce(nano, 1000n, Number.POSITIVE_INFINITY);
  const exponent = steps * 3 - NANO_DIGITS;
  return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
}

function reduce(amount: bigint, step: bigint, maxSteps: number): { rest: bigint; steps: number } {
  let rest = amount;
  let steps = 0;
  while (steps < maxSteps && rest % step === 0n) {
    rest /= step;
    steps += 1;
  }
  return { rest, steps };
}
