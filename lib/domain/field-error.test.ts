// Field errors read like those of the API server itself.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldErrorsOf, formatFieldError, formatFieldErrors, notSupported, type FieldError } from "./field-error.js";

describe("formatFieldError", () => {
  it.each<{ given: string; error: FieldError; text: string }>([
    {
      given: "an invalid value with its hint",
      error: { path: "spec.x[0].y", kind: "Invalid", value: "v", detail: "not a JSON pointer; write /v" },
      text: 'spec.x[0].y: Invalid value: "v": not a JSON pointer; write /v',
    },
    {
      given: "a missing value, which has nothing to show",
      error: { path: "spec.x", kind: "Required", value: "", detail: "name the cluster" },
      text: "spec.x: Required value: name the cluster",
    },
    {
      given: "a value outside an enumeration",
      error: notSupported("spec.x", "c", ["a", "b"]),
      text: 'spec.x: Unsupported value: "c": supported values: "a", "b"',
    },
    {
      given: "a field that must not be set",
      error: { path: "spec.x", kind: "Forbidden", value: { deep: 1 }, detail: "not supported by this version" },
      text: "spec.x: Forbidden: not supported by this version",
    },
    {
      given: "a duplicate",
      error: { path: "a", kind: "Duplicate", value: 3, detail: "" },
      text: "a: Duplicate value: 3",
    },
    {
      given: "a list that is too long",
      error: { path: "a", kind: "TooMany", detail: "at most 3" },
      text: "a: Too many: at most 3",
    },
  ])("words $given", ({ error, text }) => {
    expect(formatFieldError(error)).toBe(text);
  });

  it("cuts a value that would fill the terminal", () => {
    const text = formatFieldError({ path: "a", kind: "Invalid", value: "x".repeat(5000), detail: "too long" });
    expect(text.length).toBeLessThan(200);
    expect(text).toMatch(/…: too long$/);
  });
});

describe("formatFieldErrors", () => {
  const error = (path: string): FieldError => ({ path, kind: "Required", detail: "write it" });

  it("leaves a single error as it is", () => {
    expect(formatFieldErrors([error("a")])).toBe("a: Required value: write it");
  });

  it("joins several errors in one message", () => {
    expect(formatFieldErrors([error("a"), error("b")])).toBe(
      "[a: Required value: write it, b: Required value: write it]",
    );
  });

  it("says how many were left out of a very long list", () => {
    expect(formatFieldErrors(Array.from({ length: 25 }, (_, i) => error(`f${i}`)))).toMatch(/and 5 more\]$/);
  });

  it("names every path of a list that fits", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 }), paths => {
        const text = formatFieldErrors(paths.map(error));
        return paths.every(path => text.includes(`${path}: Required value`));
      }),
    );
  });
});

describe("fieldErrorsOf", () => {
  const schema = z.object({
    list: z.array(z.object({ mode: z.enum(["A", "B"]), size: z.number() })).max(1),
    name: z.string(),
  });

  it.each([
    {
      given: "an unknown enum value",
      input: { list: [{ mode: "C", size: 1 }], name: "n" },
      kind: "NotSupported",
      path: "list[0].mode",
    },
    {
      given: "a wrong type",
      input: { list: [{ mode: "A", size: "1" }], name: "n" },
      kind: "Invalid",
      path: "list[0].size",
    },
    { given: "an absent field", input: { list: [] }, kind: "Required", path: "name" },
    {
      given: "too long a list",
      input: {
        list: [
          { mode: "A", size: 1 },
          { mode: "B", size: 1 },
        ],
        name: "n",
      },
      kind: "TooMany",
      path: "list",
    },
  ])("answers $kind at $path for $given", ({ input, kind, path }) => {
    const { error } = schema.safeParse(input, { reportInput: true });
    expect(error && fieldErrorsOf(error)).toEqual([expect.objectContaining({ kind, path })]);
  });

  it("puts the root before every path", () => {
    const { error } = schema.safeParse({ list: [] });
    expect(error && fieldErrorsOf(error, "spec").map(e => e.path)).toEqual(["spec.name"]);
  });
});
