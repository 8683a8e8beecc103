// Is the edit found by which a policy took a template out of a cluster, and no other cause taken for it?
import { describe, expect, it } from "vitest";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { leftAtReader } from "./left-at.js";
import type { PartedAt } from "./parted-at.js";

const template = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "cfg" } };

const policy = (resourceVersion: string, clusterNames: string[], more: object = {}): PropagationPolicy =>
  ({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: {
      ...{ namespace: "shop", name: "pp", uid: "u", resourceVersion },
      ...{ generation: Number(resourceVersion), labels: { "propagationpolicy.karmada.io/permanent-id": "p1" } },
    },
    spec: { resourceSelectors: [], placement: { clusterAffinity: { clusterNames } }, ...more },
  }) as unknown as PropagationPolicy;

const enabled = { apiEnablements: [{ groupVersion: "v1", resources: [{ kind: "ConfigMap" }] }] };
const cluster = (name: string, metadata: object = {}, spec: object = {}) => ({
  metadata: { name, ...metadata },
  spec,
  status: enabled,
});
const tainted = cluster("m3", {}, { taints: [{ key: "broken", effect: "NoSchedule" }] });

interface Given {
  /** What is older is forgotten. */
  readonly oldest?: number;
  /** m1 is being removed. */
  readonly leaving?: boolean;
  /** The revision at which the removal of m2 was accepted. */
  readonly otherParted?: string;
}

/** A host whose policy went through these states. */
function hostWith(states: readonly PropagationPolicy[], { oldest = 0, leaving = false, otherParted }: Given = {}) {
  const asked: string[] = [];
  const list = async (query: Query = {}) => {
    const revision = Number(query["resourceVersion"]);
    asked.push(String(revision));
    if (revision < oldest) throw new KubeError(410, "Expired", "compacted");
    const then = states.filter(state => Number(state.metadata.resourceVersion) <= revision).at(-1);
    return { items: then ? [then] : [], resourceVersion: String(revision) };
  };
  const when = (is: boolean) => (is ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {});
  const joined = [cluster("m1", when(leaving)), cluster("m2", when(otherParted !== undefined)), tainted];
  const partedAt = (name: string) =>
    Promise.resolve(
      name === "m2" ? { state: cluster(name, { resourceVersion: otherParted }), before: "other" } : undefined,
    );
  const clusters = new Map(joined.map(one => [one.metadata.name, one]));
  const host = {
    policiesLike: () => ({ client: { list } }),
    clusters: { store: { values: () => clusters.values() }, get: (name: string) => clusters.get(name) },
  };
  const reader = leftAtReader(host as unknown as Parameters<typeof leftAtReader>[0], partedAt as PartedAt);
  return { asked, now: states.at(-1), leftAt: reader };
}

const m1 = { template, cluster: "m1", current: ["m2"] };
const [both, two] = [["m1", "m2"], ["m2"]];

describe("leftAtReader", () => {
  it.each`
    given                                      | states                                                           | options                  | found
    ${"the last edit"}                         | ${[policy("10", both), policy("20", two)]}                       | ${{}}                    | ${"20 other"}
    ${"an edit before others"}                 | ${[policy("10", both), policy("20", two), policy("30", two)]}    | ${{}}                    | ${"20 other"}
    ${"the last of several departures"}        | ${[policy("10", two), policy("20", both), policy("30", two)]}    | ${{}}                    | ${"30 other"}
    ${"a policy that was made so"}             | ${[policy("10", two), policy("20", two)]}                        | ${{}}                    | ${undefined}
    ${"one that fits no cluster: all stays"}   | ${[policy("10", both), policy("20", ["m9"])]}                    | ${{}}                    | ${undefined}
    ${"a departure after such a one"}          | ${[policy("10", both), policy("20", ["m9"]), policy("30", two)]} | ${{}}                    | ${"30 other"}
    ${"a policy that still goes there"}        | ${[policy("10", two), policy("20", both)]}                       | ${{}}                    | ${undefined}
    ${"a past that is forgotten"}              | ${[policy("10", both), policy("20", two), policy("30", two)]}    | ${{ oldest: 25 }}        | ${"20 unknown"}
    ${"a cluster that leaves"}                 | ${[policy("10", both), policy("20", both)]}                      | ${{ leaving: true }}     | ${undefined}
    ${"one that the policy had left before"}   | ${[policy("10", both), policy("20", two)]}                       | ${{ leaving: true }}     | ${"20 other"}
    ${"an edit before the other one left"}     | ${[policy("10", both), policy("20", two)]}                       | ${{ otherParted: "25" }} | ${"20 other"}
    ${"the same, written to since"}            | ${[policy("10", both), policy("20", two), policy("30", two)]}    | ${{ otherParted: "25" }} | ${"20 other"}
    ${"an edit to one that was leaving"}       | ${[policy("10", both), policy("20", two)]}                       | ${{ otherParted: "15" }} | ${undefined}
    ${"a departure before one that fits none"} | ${[policy("10", both), policy("20", two), policy("30", ["m9"])]} | ${{}}                    | ${"20 other"}
  `("answers $found for $given", async ({ states, options, found }) => {
    const { leftAt, now } = hostWith(states as PropagationPolicy[], options as Given);
    const first = await leftAt(now, m1);
    expect(first && `${first.state.metadata.resourceVersion} ${first.before}`).toBe(found);
  });

  it.each`
    given                     | current   | found
    ${"it goes there"}        | ${["m3"]} | ${"20"}
    ${"it does not go there"} | ${[]}     | ${undefined}
  `("counts a cluster that has got a taint only where $given", async ({ current, found }) => {
    const { leftAt, now } = hostWith([policy("10", ["m1", "m3"]), policy("20", ["m3"])]);
    const first = await leftAt(now, { ...m1, current: current as string[] });
    expect(first?.state.metadata.resourceVersion).toBe(found);
  });

  it("asks once for all templates of a kind", async () => {
    const { leftAt, now, asked } = hostWith([policy("10", both), policy("20", two)]);
    await Promise.all(Array.from({ length: 20 }, () => leftAt(now, m1)));
    expect(asked).toEqual(["19"]);
  });

  it("asks again when the host did not answer", async () => {
    const states = [policy("10", both), policy("20", two)];
    const { leftAt } = hostWith(states);
    let fails = true;
    const host = {
      policiesLike: () => ({
        client: {
          list: () =>
            fails ? Promise.reject(new KubeError(503, "", "away")) : Promise.resolve({ items: [states[0]] }),
        },
      }),
      clusters: { store: { values: () => [cluster("m1"), cluster("m2")] }, get: cluster },
    };
    const again = leftAtReader(host as unknown as Parameters<typeof leftAtReader>[0], () => Promise.resolve(undefined));
    await expect(again(states[1], m1)).rejects.toThrow("away");
    fails = false;
    expect(await again(states[1], m1)).toMatchObject({ before: "other" });
    expect(await leftAt(undefined, m1)).toBeUndefined();
  });
});
