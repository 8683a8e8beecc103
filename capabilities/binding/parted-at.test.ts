// Is the revision found at which a Cluster's deletion was accepted, with few requests?
import { describe, expect, it } from "vitest";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { partedAtReader } from "./parted-at.js";

const cluster = (resourceVersion: string, leaving = false) => ({
  metadata: {
    ...{ name: "m1", uid: "u", resourceVersion },
    ...(leaving ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
  },
  spec: {},
});

/** A host whose Cluster went through these states; what is older than `oldest` is forgotten. */
function hostWith(states: readonly ReturnType<typeof cluster>[], { oldest = 0, failures = 0 } = {}) {
  const asked: number[] = [];
  let left = failures;
  const list = async (query: Query = {}) => {
    const revision = Number(query["resourceVersion"]);
    asked.push(revision);
    if (left-- > 0) throw new KubeError(503, "", "away");
    if (revision < oldest) throw new KubeError(410, "Expired", "compacted");
    const then = states.filter(state => Number(state.metadata.resourceVersion) <= revision).at(-1);
    return { items: then ? [then] : [], resourceVersion: String(revision) };
  };
  const clusters = { client: { list }, get: (name: string) => (name === "m1" ? states.at(-1) : undefined) };
  return { asked, partedAt: partedAtReader({ clusters } as unknown as Parameters<typeof partedAtReader>[0]) };
}

describe("partedAtReader", () => {
  it.each`
    given                              | states                                                       | oldest | name    | found
    ${"the deletion"}                  | ${[cluster("10"), cluster("20", true)]}                      | ${0}   | ${"m1"} | ${"20 other"}
    ${"a deletion, then other writes"} | ${[cluster("10"), cluster("20", true), cluster("30", true)]} | ${0}   | ${"m1"} | ${"20 other"}
    ${"a cluster that stays"}          | ${[cluster("10"), cluster("20")]}                            | ${0}   | ${"m1"} | ${undefined}
    ${"a cluster that is gone"}        | ${[cluster("10")]}                                           | ${0}   | ${"m2"} | ${undefined}
    ${"a past that is forgotten"}      | ${[cluster("10"), cluster("20", true), cluster("30", true)]} | ${25}  | ${"m1"} | ${"20 unknown"}
  `("answers $found for $given", async ({ states, oldest, name, found }) => {
    const { partedAt } = hostWith(states as ReturnType<typeof cluster>[], { oldest: oldest as number });
    const first = await partedAt(name as string);
    expect(first && `${first.state.metadata.resourceVersion} ${first.before}`).toBe(found);
  });

  it("asks once for all that is in a cluster, and again when the host did not answer", async () => {
    const { partedAt, asked } = hostWith([cluster("10"), cluster("20", true)], { failures: 1 });

    await expect(partedAt("m1")).rejects.toThrow("away");
    const found = await Promise.all([partedAt("m1"), partedAt("m1"), partedAt("m1")]);
    expect(found.map(first => first?.state.metadata.resourceVersion)).toEqual(["20", "20", "20"]);
    expect(asked).toEqual([19, 19]);
  });
});
