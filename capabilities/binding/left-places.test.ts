// Is a dropped cluster remembered until its copy has an order, or is wanted there again?
import { describe, expect, it } from "vitest";
import type { AnyBinding } from "../../lib/kube/host.js";
import { LeftPlaces } from "./left-places.js";

const binding = (names: readonly string[], uid = "u") =>
  ({ spec: { resource: { uid }, clusters: names.map(name => ({ name })) } }) as unknown as AnyBinding;

describe("LeftPlaces", () => {
  it.each`
    given                                     | changes                                                  | left
    ${"nothing dropped"}                      | ${[binding(["a", "b"]), binding(["a", "b", "c"])]}       | ${[]}
    ${"a dropped cluster"}                    | ${[binding(["a", "b"]), binding(["a"])]}                 | ${["b"]}
    ${"one that is wanted again"}             | ${[binding(["a", "b"]), binding(["a"]), binding(["b"])]} | ${["a"]}
    ${"two, one after the other"}             | ${[binding(["a", "b"]), binding(["a"]), binding([])]}    | ${["b", "a"]}
    ${"a binding handed to another template"} | ${[binding(["a", "b"]), binding(["a"], "other")]}        | ${[]}
    ${"a binding that is gone"}               | ${[binding(["a", "b"]), binding(["a"]), undefined]}      | ${[]}
  `("has $left for $given", ({ changes, left }) => {
    const places = new LeftPlaces();
    let before: AnyBinding | undefined;
    for (const after of changes as (AnyBinding | undefined)[]) {
      places.note("k", before, after);
      before = after;
    }
    expect(places.of("k")).toEqual(left);
  });

  it("forgets what has been ordered", () => {
    const places = new LeftPlaces();
    places.note("k", binding(["a", "b", "c"]), binding(["c"]));
    places.ordered("k", ["b"]);
    expect(places.of("k")).toEqual(["a"]);
  });
});
