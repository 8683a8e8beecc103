// Is the word of a policy about deletion on record that it gave, and edited away, while the operator was away?
import { describe, expect, it } from "vitest";
import { CASCADE_DELETION_POLICIES } from "../../../../lib/kube/kinds.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import type { Shop } from "../../support/shop.js";

const clusters = breakable();
const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const OTHER_NAME = { ...WEB, name: "another" };
const OTHER_KIND = { apiVersion: "v1", kind: "ConfigMap", name: "web" };

const ruleOf = (shop: Shop, name = "rule") => ({
  kind: CASCADE_DELETION_POLICIES.kind,
  namespace: shop.namespace,
  name,
});

function say(shop: Shop, cascadeDeletion: string, selector: object, name = "rule"): Promise<unknown> {
  return shop.host.applyObject({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name, namespace: shop.namespace },
    spec: { cascadeDeletion, resourceSelectors: [selector] },
  });
}

/** A policy with a field, what is said about deletion while nobody listens, and what becomes of the copies. */
interface Story {
  readonly name: string;
  readonly preserve: boolean;
  readonly whileDown: (shop: Shop) => Promise<unknown>;
  /** When all that was heard, and before the operator starts once more. */
  readonly later?: (shop: Shop) => Promise<unknown>;
  readonly kept: boolean;
}

const stories: readonly Story[] = [
  {
    name: "keep-then-another-name",
    preserve: false,
    whileDown: async shop => (await say(shop, "orphan", WEB), say(shop, "background", OTHER_NAME)),
    kept: true,
  },
  {
    name: "keep-then-another-kind",
    preserve: false,
    whileDown: async shop => (await say(shop, "orphan", WEB), say(shop, "background", OTHER_KIND)),
    kept: true,
  },
  {
    name: "delete-then-another-name",
    preserve: true,
    whileDown: async shop => (await say(shop, "background", WEB), say(shop, "orphan", OTHER_NAME)),
    kept: false,
  },
  {
    name: "keep-then-deleted",
    preserve: false,
    whileDown: async shop => {
      await say(shop, "orphan", WEB);
      // Heard of by the webhook alone, which gives it a finalizer.
      await say(shop, "background", OTHER_NAME);
      await shop.host.delete(ruleOf(shop));
    },
    kept: true,
  },
  {
    name: "keep-and-later-delete-by-another",
    preserve: true,
    whileDown: async shop => (await say(shop, "orphan", WEB), say(shop, "background", OTHER_NAME)),
    later: async shop => {
      await say(shop, "background", WEB, "later");
      await heard(shop, "later");
      await say(shop, "orphan", OTHER_NAME, "later");
      await heard(shop, "later");
    },
    kept: false,
  },
];

describe("a policy about deletion that is edited twice while the operator is away", () => {
  it("has its last word about a template on record, also for the operator after the next one", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ ...story, shop: await clusters.openShop(story.name) })),
    );
    const uids = await Promise.all(shops.map(({ shop, preserve }) => shop.settle({ preserve })));
    await clusters.kill("watcher");
    for (const { shop, whileDown } of shops) await whileDown(shop);
    await clusters.start("watcher");
    await Promise.all(shops.map(({ shop }) => heard(shop)));
    for (const { shop, later } of shops) await later?.(shop);
    await clusters.kill("watcher");
    await clusters.start("watcher");
    await Promise.all(shops.map(({ shop }) => shop.host.delete(shop.web)));
    await Promise.all(shops.map(({ shop }) => shop.gone(60_000)));

    const fates = await Promise.all(shops.map(({ shop }, n) => shop.fate("member1", uids[n]?.member1)));
    expect(fates.map((fate, n) => `${stories[n]?.name}: ${fate}`)).toEqual(
      stories.map(({ name, kept }) => `${name}: ${kept ? "kept" : "deleted"}`),
    );
  });
});

/** Its status speaks of all that it says, or it is gone. */
function heard(shop: Shop, name?: string): Promise<unknown> {
  return eventually(
    "what the policy about deletion says is heard",
    async () => {
      const rule = await shop.host.find(ruleOf(shop, name));
      const status = rule?.["status"] as { readonly observedGeneration?: number } | undefined;
      return !rule || status?.observedGeneration === rule.metadata.generation;
    },
    60_000,
  );
}
