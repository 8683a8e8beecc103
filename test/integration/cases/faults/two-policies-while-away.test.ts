// Whose word counts where another policy would have taken a template over, had anybody been there to see it?
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import type { Shop } from "../../support/shop.js";

const clusters = breakable();
const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const OTHER = [{ ...WEB, name: "another" }];
const BOTH = { clusterAffinity: { clusterNames: ["member1", "member2"] } };

/** Makes or edits a second policy that selects the same Deployment. */
function comer(shop: Shop, spec: object): Promise<unknown> {
  return shop.host.applyObject({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "web-zz", namespace: shop.namespace },
    spec: { resourceSelectors: [WEB], placement: BOTH, ...spec },
  });
}

const KEEPS = { preserveResourcesOnDeletion: true };
const PREEMPTS = { preemption: "Always", priority: 10 };
const remove = (shop: Shop) => shop.host.delete(shop.web);

/** What stands before, what is said while nobody listens, and what becomes of the copies. */
interface Story {
  readonly name: string;
  readonly preserve: boolean;
  readonly before?: (shop: Shop) => Promise<unknown>;
  readonly whileDown: (shop: Shop) => Promise<unknown>;
  readonly kept: boolean;
}

const stories: readonly Story[] = [
  {
    name: "taken-over-by-keep",
    preserve: false,
    whileDown: async shop => (await comer(shop, { ...KEEPS, ...PREEMPTS }), remove(shop)),
    kept: true,
  },
  {
    name: "taken-over-and-elsewhere",
    preserve: false,
    whileDown: async shop => {
      const placement = { clusterAffinity: { clusterNames: ["member2"] } };
      await comer(shop, { ...KEEPS, ...PREEMPTS, placement });
      await remove(shop);
    },
    kept: true,
  },
  {
    name: "edited-to-take-over",
    preserve: false,
    before: shop => comer(shop, KEEPS),
    whileDown: async shop => (await comer(shop, { ...KEEPS, ...PREEMPTS }), remove(shop)),
    kept: true,
  },
  {
    name: "holder-deleted",
    preserve: false,
    before: shop => comer(shop, KEEPS),
    whileDown: async shop => (await shop.host.delete(shop.policy), remove(shop)),
    kept: true,
  },
  {
    name: "holder-deselects",
    preserve: false,
    before: shop => comer(shop, KEEPS),
    whileDown: async shop => {
      await shop.host.patch(shop.policy, { spec: { resourceSelectors: OTHER } });
      await remove(shop);
    },
    kept: true,
  },
  {
    name: "not-taken-over",
    preserve: false,
    whileDown: async shop => (await comer(shop, KEEPS), remove(shop)),
    kept: false,
  },
  {
    name: "taken-over-after",
    preserve: false,
    whileDown: async shop => (await remove(shop), comer(shop, { ...KEEPS, ...PREEMPTS })),
    kept: false,
  },
];

describe("a second policy that takes a template over, or would have, while the operator is away", () => {
  it("is not ignored when it says keep", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ ...story, shop: await clusters.openShop(story.name) })),
    );
    const uids = await Promise.all(shops.map(({ shop, preserve }) => shop.settle({ preserve, replicas: 0 })));
    await Promise.all(shops.map(({ shop, before }) => before?.(shop)));
    await clusters.kill("watcher");
    for (const { shop, whileDown } of shops) await whileDown(shop);
    await clusters.start("watcher");
    await Promise.all(shops.map(({ shop }) => shop.gone(60_000)));

    const fates = await Promise.all(shops.map(({ shop }, n) => shop.fate("member1", uids[n]?.member1)));
    expect(fates.map((fate, n) => `${stories[n]?.name}: ${fate}`)).toEqual(
      stories.map(({ name, kept }) => `${name}: ${kept ? "kept" : "deleted"}`),
    );
  });
});
