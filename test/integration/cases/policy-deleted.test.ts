// Does deleting a policy leave everything that runs alone, and the template free for the next policy? (case 01)
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually, stays } from "../support/eventually.js";
import { deleteAndWait, type Shop } from "../support/shop.js";

const claimKeys = (object: unknown): string[] => JSON.stringify(object).match(/propagationpolicy\.karmada\.io/g) ?? [];

async function hasNoClaim(shop: Shop): Promise<boolean> {
  const template = await shop.template();
  return template !== undefined && claimKeys(template.metadata).length === 0;
}

describe("deleting the policy", () => {
  it.concurrent.each`
    preserve     | sentence
    ${undefined} | ${"leaves members alone when nothing says keep"}
    ${true}      | ${"leaves members alone when the policy says keep"}
  `("$sentence, and the next policy claims the template", async ({ preserve }: { preserve?: boolean }) => {
    const shop = await openShop("c01");
    const before = await shop.settle({ preserve });

    await deleteAndWait(shop.host, shop.policy);
    await eventually("the template carries no claim", () => hasNoClaim(shop));
    await stays("uids in the members", () => shop.uids(), 5_000);

    const next = { ...shop.policy, name: "next" };
    await shop.host.apply(shop.policyYaml({ preserve }).replace("web-pp", "next"));
    await eventually("the next policy has claimed the template", async () => {
      const annotations = (await shop.template())?.metadata.annotations ?? {};
      return annotations["propagationpolicy.karmada.io/name"] === next.name;
    });
    expect(await shop.uids()).toEqual(before);
  });

  it("freezes the last word: the template goes later, and is kept or deleted as the policy had said", async () => {
    const [kept, dropped] = await Promise.all([openShop("c01k"), openShop("c01d")]);
    const [before] = await Promise.all([kept.settle(), dropped.settle({ preserve: true })]);

    // Said and gone in the same moment.
    await Promise.all([kept.preserve(true), dropped.preserve(false)]);
    await Promise.all([kept, dropped].map(shop => deleteAndWait(shop.host, shop.policy)));
    await Promise.all([kept, dropped].map(shop => shop.host.delete(shop.web)));

    await kept.released(before);
    await dropped.deletedIn("member1", "member2");
    await Promise.all([kept.gone(), dropped.gone()]);
  });

  it("does not lose the last word when the binding is deleted by hand after it", async () => {
    const shop = await openShop("c01b");
    const before = await shop.settle();

    await shop.preserve(true);
    await deleteAndWait(shop.host, shop.policy);
    await shop.host.delete(shop.binding).catch(() => undefined);
    await eventually("the old binding is gone", async () => {
      const binding = await shop.findBinding();
      return !binding?.metadata.deletionTimestamp;
    });
    await shop.host.delete(shop.web);

    await shop.gone();
    await shop.released(before);
  });
});

describe("policy and binding deleted at once", () => {
  it("still lets go of the copies when the template goes", async () => {
    const shop = await openShop("c01pb");
    await shop.settle();

    await Promise.all([shop.host.delete(shop.policy), shop.host.delete(shop.binding)]);
    await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
    await shop.host.delete(shop.web);

    await shop.deletedIn("member1", "member2");
    await shop.gone();
  });
});
