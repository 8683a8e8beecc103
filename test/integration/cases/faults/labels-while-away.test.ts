// Do words that were chosen by labels count, when the labels change and nobody is there to see it?
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import type { Shop } from "../../support/shop.js";

const clusters = breakable();
const DEPLOYMENT = { apiVersion: "apps/v1", kind: "Deployment" };
const MEMBER1 = { kind: "Cluster", name: "member1" };

function say(shop: Shop, spec: object): Promise<unknown> {
  return shop.host.applyObject({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name: "rule", namespace: shop.namespace },
    spec: { cascadeDeletion: "orphan", resourceSelectors: [{ ...DEPLOYMENT, name: "web" }], ...spec },
  });
}

const byLabel = (labels: object) => ({
  resourceSelectors: [{ ...DEPLOYMENT, labelSelector: { matchLabels: labels } }],
});
const inZone = (zone: string) => ({ targetCluster: { labelSelector: { matchLabels: { zone } } } });
const move = (shop: Shop, zone: string | null) => shop.host.patch(MEMBER1, { metadata: { labels: { zone } } });
const relabel = (shop: Shop, tier: string) => shop.host.patch(shop.web, { metadata: { labels: { tier } } });
const remove = (shop: Shop) => shop.host.delete(shop.web);

interface Story {
  readonly name: string;
  readonly preserve: boolean;
  readonly whileDown: (shop: Shop) => Promise<unknown>;
  readonly kept: boolean;
}

const stories: readonly Story[] = [
  {
    name: "cluster-moved-after",
    preserve: false,
    whileDown: async shop => (await say(shop, inZone("a")), await remove(shop), move(shop, "b")),
    kept: true,
  },
  {
    name: "cluster-moved-before",
    preserve: false,
    whileDown: async shop => (await move(shop, "a"), await say(shop, inZone("a")), await move(shop, "b"), remove(shop)),
    kept: true,
  },
  {
    name: "cluster-moved-in-after",
    preserve: true,
    whileDown: async shop => (
      await move(shop, "a"),
      await say(shop, { ...inZone("b"), cascadeDeletion: "background" }),
      await remove(shop),
      move(shop, "b")
    ),
    kept: true,
  },
  {
    name: "relabelled",
    preserve: false,
    whileDown: async shop => (await say(shop, byLabel({ tier: "db" })), await relabel(shop, "web"), remove(shop)),
    kept: true,
  },
  {
    name: "relabelled-to-delete",
    preserve: true,
    whileDown: async shop => (
      await say(shop, { ...byLabel({ tier: "web" }), cascadeDeletion: "background" }),
      await relabel(shop, "web"),
      remove(shop)
    ),
    kept: false,
  },
];

describe("words chosen by labels that change while the operator is away", () => {
  it("count as they stood", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ ...story, shop: await clusters.openShop(story.name) })),
    );
    const [first] = shops;
    if (!first) throw new Error("unreachable");
    await move(first.shop, "a");
    const uids = await Promise.all(
      shops.map(({ shop, preserve }) => shop.settle({ preserve, replicas: 0, labels: "{app: web, tier: db}" })),
    );
    await clusters.kill("watcher");
    for (const { shop, whileDown } of shops) await whileDown(shop);
    await clusters.start("watcher");
    await Promise.all(shops.map(({ shop }) => shop.gone(60_000)));
    await move(first.shop, null);

    const fates = await Promise.all(shops.map(({ shop }, n) => shop.fate("member1", uids[n]?.member1)));
    expect(fates.map((fate, n) => `${stories[n]?.name}: ${fate}`)).toEqual(
      stories.map(({ name, kept }) => `${name}: ${kept ? "kept" : "deleted"}`),
    );
  });
});
