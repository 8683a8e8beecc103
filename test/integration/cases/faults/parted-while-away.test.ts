// Does the word count that stood when a Cluster was deleted, and none that came after it?
import { describe, expect, it } from "vitest";
import type { Target } from "../../support/site.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import type { Shop } from "../../support/shop.js";
import { rejoin } from "../../support/rejoin.js";

const clusters = breakable();
const CLUSTER: Target = { kind: "Cluster", name: "member2" };
const NOTE = "resourcetemplate.karmada.io/cascadedeletion";

const note = (shop: Shop, value: string) => shop.host.patch(shop.web, { metadata: { annotations: { [NOTE]: value } } });
const leave = (shop: Shop) =>
  shop.host.patch(shop.policy, { spec: { placement: { clusterAffinity: { clusterNames: ["member1"] } } } });

/** What is said about one shop around the moment, with nobody there to hear it; and what becomes of the copy. */
interface Story {
  readonly name: string;
  readonly preserve: boolean;
  readonly before?: (shop: Shop) => Promise<unknown>;
  readonly after: (shop: Shop) => Promise<unknown>;
  readonly kept: boolean;
}

const stories: readonly Story[] = [
  { name: "note-after", preserve: true, after: shop => note(shop, "background"), kept: true },
  {
    name: "note-after-deleted",
    preserve: true,
    async after(shop) {
      await note(shop, "background");
      await shop.host.delete(shop.web);
    },
    kept: true,
  },
  { name: "off-after", preserve: true, after: shop => shop.preserve(false), kept: true },
  {
    name: "on-before",
    preserve: false,
    before: shop => shop.preserve(true),
    async after(shop) {
      await shop.preserve(false);
      await shop.host.delete(shop.web);
    },
    kept: true,
  },
  { name: "on-after", preserve: false, after: shop => shop.preserve(true), kept: false },
  {
    name: "left-before",
    preserve: true,
    async before(shop) {
      await leave(shop);
      await shop.preserve(false);
    },
    after: async () => undefined,
    kept: true,
  },
];

describe("a Cluster that is deleted while the operator is away", () => {
  it("is let go of by the words of that moment", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ ...story, shop: await clusters.openShop(story.name) })),
    );
    const uids = await Promise.all(shops.map(({ shop, preserve }) => shop.settle({ preserve })));
    await clusters.kill("watcher");
    for (const { shop, before } of shops) await before?.(shop);
    const [{ shop: first } = { shop: undefined }] = shops;
    await first?.host.delete(CLUSTER);
    // As many writes as one makes that tells how far it is: the moment lies behind them.
    for (let n = 0; n < 20; n++) await first?.host.patch(CLUSTER, { metadata: { annotations: { told: String(n) } } });
    for (const { shop, after } of shops) await after(shop);
    await clusters.start("watcher");

    await eventually("the Cluster is gone", async () => !(await first?.host.find(CLUSTER)), 60_000);
    const fates = await Promise.all(
      shops.map(async ({ name, shop }, n) => `${name}: ${await shop.fate("member2", uids[n]?.member2)}`),
    );
    await rejoin(clusters.env(), "member2");

    expect(fates).toEqual(stories.map(({ name, kept }) => `${name}: ${kept ? "kept" : "deleted"}`));
  });
});
