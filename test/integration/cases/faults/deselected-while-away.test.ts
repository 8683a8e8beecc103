// Does an edit by which a policy no longer selects a template change no decision, whatever else it says?
import { describe, expect, it } from "vitest";
import { PP_ID_LABEL } from "../../../../lib/domain/marks.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import type { Shop } from "../../support/shop.js";

const clusters = breakable();
const OTHER = [{ apiVersion: "apps/v1", kind: "Deployment", name: "another" }];

const deselect = (shop: Shop, more: object = {}) =>
  shop.host.patch(shop.policy, { spec: { resourceSelectors: OTHER, ...more } });
const off = { preserveResourcesOnDeletion: false };
const remove = (shop: Shop) => shop.host.delete(shop.web);

/** What is said about one shop while nobody listens; and what becomes of its copies. */
interface Story {
  readonly name: string;
  readonly preserve: boolean;
  readonly whileDown: (shop: Shop) => Promise<unknown>;
  readonly kept: boolean;
  /** The template is deleted when the operator has let the policy go of it. */
  readonly later?: true;
}

const stories: readonly Story[] = [
  { name: "with-off", preserve: true, whileDown: async shop => (await deselect(shop, off), remove(shop)), kept: true },
  {
    name: "then-off",
    preserve: true,
    whileDown: async shop => (await deselect(shop), await shop.preserve(false), remove(shop)),
    kept: true,
  },
  {
    name: "on-then-with-off",
    preserve: false,
    whileDown: async shop => (await shop.preserve(true), await deselect(shop, off), remove(shop)),
    kept: true,
  },
  {
    name: "off-then",
    preserve: true,
    whileDown: async shop => (await shop.preserve(false), await deselect(shop), remove(shop)),
    kept: false,
  },
  {
    name: "on-then-with-off-heard",
    preserve: false,
    whileDown: async shop => (await shop.preserve(true), deselect(shop, off)),
    kept: true,
    later: true,
  },
  {
    name: "off-then-heard",
    preserve: true,
    whileDown: async shop => (await shop.preserve(false), deselect(shop)),
    kept: false,
    later: true,
  },
  {
    name: "then-policy-deleted",
    preserve: true,
    whileDown: async shop => (await deselect(shop, off), shop.host.delete(shop.policy)),
    kept: true,
    later: true,
  },
];

describe("a policy that selects another name, while the operator is away", () => {
  it("changes no decision by that", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ ...story, shop: await clusters.openShop(story.name) })),
    );
    const uids = await Promise.all(shops.map(({ shop, preserve }) => shop.settle({ preserve })));
    await clusters.kill("watcher");
    for (const { shop, whileDown } of shops) await whileDown(shop);
    await clusters.start("watcher");
    await Promise.all(
      shops.map(async ({ shop, later }) => {
        if (!later) return;
        const isClaimed = async () => (await shop.template())?.metadata.labels?.[PP_ID_LABEL] !== undefined;
        await eventually("the template is let go of by its policy", async () => !(await isClaimed()), 60_000);
        await remove(shop);
      }),
    );
    await Promise.all(shops.map(({ shop }) => shop.gone(60_000)));

    const fates = await Promise.all(shops.map(({ shop }, n) => shop.fate("member1", uids[n]?.member1)));
    expect(fates.map((fate, n) => `${stories[n]?.name}: ${fate}`)).toEqual(
      stories.map(({ name, kept }) => `${name}: ${kept ? "kept" : "deleted"}`),
    );
  });
});
