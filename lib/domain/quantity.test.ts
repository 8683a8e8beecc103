// Are quantities read exactly and written as the API server writes them?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from "./quantity.js";

const canonical = (text: string | number) => formatQuantity(parseQuantity(text));
const quantity: fc.Arbitrary<Quantity> = fc.record({
  nano: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  format: fc.constantFrom("DecimalSI" as const, "BinarySI" as const, "DecimalExponent" as const),
});

describe("formatQuantity of parseQuantity", () => {
  it.each`
    text                     | written
    ${"0"}                   | ${"0"}
    ${"-0Mi"}                | ${"0"}
    ${"3"}                   | ${"3"}
    ${3}                     | ${"3"}
    ${1e21}                  | ${"9223372036854775807"}
    ${"+1000m"}              | ${"1"}
    ${"1500m"}               | ${"1500m"}
    ${"1.5"}                 | ${"1500m"}
    ${".5"}                  | ${"500m"}
    ${"5."}                  | ${"5"}
    ${"2000"}                | ${"2k"}
    ${"1024"}                | ${"1024"}
    ${"1024Ki"}              | ${"1Mi"}
    ${"1000Ki"}              | ${"1000Ki"}
    ${"1.5Gi"}               | ${"1536Mi"}
    ${"0.5Ki"}               | ${"512"}
    ${"1.1Ki"}               | ${"1126400m"}
    ${"0.0001n"}             | ${"1n"}
    ${"-0.0001n"}            | ${"-1n"}
    ${"1e3"}                 | ${"1e3"}
    ${"12E2"}                | ${"1200"}
    ${"1e-3"}                | ${"1e-3"}
    ${"1E"}                  | ${"1E"}
    ${"1e-999999999"}        | ${"1e-9"}
    ${"9223372036854775808"} | ${"9223372036854775807"}
    ${"1e999999999"}         | ${"9223372036854775807"}
    ${"64Ei"}                | ${"9223372036854775807"}
  `("writes $text as $written", ({ text, written }: { text: string; written: string }) => {
    expect(canonical(text)).toBe(written);
  });

  it.each(["", "Mi", "1 Mi", "1mi", "1K", "0x10", "1e", "1.2.3", "--1", "NaN", "1Ki1"])("refuses '%s'", text => {
    expect(() => parseQuantity(text)).toThrow(/is not a quantity; write a number/);
  });

  it("is stable: what was written once is written the same again, for the same amount", () => {
    fc.assert(
      fc.property(quantity, amount => {
        const capped = parseQuantity(formatQuantity(amount));
        expect(canonical(formatQuantity(capped))).toBe(formatQuantity(capped));
        if (amount.nano <= 2n ** 63n && amount.nano >= -(2n ** 63n)) expect(capped.nano).toBe(amount.nano);
      }),
    );
  });
});

describe("addQuantities", () => {
  it.each`
    left      | right     | sum
    ${"100m"} | ${"900m"} | ${"1"}
    ${"1Gi"}  | ${"1Gi"}  | ${"2Gi"}
    ${"1Gi"}  | ${"1G"}   | ${"2073741824"}
    ${"0"}    | ${"1Gi"}  | ${"1Gi"}
    ${"0.1"}  | ${"0.2"}  | ${"300m"}
    ${"1Mi"}  | ${"-1Mi"} | ${"0"}
  `("makes $left and $right $sum", ({ left, right, sum }: { left: string; right: string; sum: string }) => {
    expect(formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)))).toBe(sum);
  });

  it("does not depend on order or grouping, and has a zero", () => {
    fc.assert(
      fc.property(quantity, quantity, quantity, (a, b, c) => {
        expect(addQuantities(a, b).nano).toBe(addQuantities(b, a).nano);
        expect(addQuantities(addQuantities(a, b), c).nano).toBe(addQuantities(a, addQuantities(b, c)).nano);
        expect(addQuantities({ nano: 0n, format: "DecimalSI" }, a)).toEqual(a);
      }),
    );
  });
});
