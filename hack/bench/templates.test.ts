// Is a template what its name says, and are its editions told apart wherever they are?
import jsonPatch from "fast-json-patch";
import { describe, expect, it } from "vitest";
import { isMark } from "./member-state.js";
import { editionOf, objectOf, patchTo, templatesOf, type Wire } from "./templates.js";

describe("templatesOf", () => {
  it("takes the kinds in turn, under names that sort", () => {
    expect(templatesOf("b1", 3).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "ConfigMap b1-cm-00000",
      "Deployment b1-dep-00001",
      "ConfigMap b1-cm-00002",
    ]);
  });
});

describe("editionOf", () => {
  it.each(templatesOf("b1", 2))("knows the first and the second edition of a $kind", template => {
    const first = objectOf(template);
    expect(editionOf(first as Partial<Wire>)).toBe("1");
    const patch = patchTo(template.kind, "2") as jsonPatch.Operation[];
    const second = jsonPatch.applyPatch(structuredClone(first), patch).newDocument;
    expect(editionOf(second as Partial<Wire>)).toBe("2");
  });
});

describe("isMark", () => {
  it.each`
    key                               | mark
    ${"karmada.io/managed"}           | ${true}
    ${"work.karmada.io/permanent-id"} | ${true}
    ${"holdfast.dev/held"}            | ${true}
    ${"notkarmada.io/managed"}        | ${false}
    ${"bench-set"}                    | ${false}
    ${"karmada.io"}                   | ${false}
    ${"example.com/karmada.io"}       | ${false}
  `("says $mark of $key", ({ key, mark }) => {
    expect(isMark(key)).toBe(mark);
  });
});
