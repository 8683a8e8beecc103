// Does a policy wait for overrides of its own scope, and for no others?
import { describe, expect, it } from "vitest";
import { storeKey } from "../../lib/kube/store.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";
import { missingOverrides } from "./dependent-overrides.js";

const own = new Set(["shop/down", "other/up"]);
const wide = new Set(["everywhere"]);
const host = {
  overrides: { find: (name: { namespace?: string; name: string }) => (own.has(storeKey(name)) ? {} : undefined) },
  clusterOverrides: { get: (name: string) => (wide.has(name) ? {} : undefined) },
} as unknown as Host;

describe("missingOverrides", () => {
  it.each`
    given                                              | namespace    | names                     | missing
    ${"a policy that names none"}                      | ${"shop"}    | ${undefined}              | ${[]}
    ${"an override of the policy's own namespace"}     | ${"shop"}    | ${["down"]}               | ${[]}
    ${"an override of another namespace"}              | ${"shop"}    | ${["up"]}                 | ${["up"]}
    ${"a cluster-wide one, for a namespaced policy"}   | ${"shop"}    | ${["everywhere", "down"]} | ${["everywhere"]}
    ${"a cluster-wide one, for a cluster-wide policy"} | ${undefined} | ${["everywhere"]}         | ${[]}
    ${"a namespaced one, for a cluster-wide policy"}   | ${undefined} | ${["down"]}               | ${["down"]}
  `("are $missing for $given", ({ namespace, names, missing }) => {
    const policy = { metadata: { name: "p", namespace }, spec: { dependentOverrides: names } } as AnyPolicy;

    expect(missingOverrides(host, policy)).toEqual(missing);
  });
});
