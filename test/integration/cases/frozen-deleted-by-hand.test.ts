// Is it still known where a template is, when its policy, its binding and some of its Works are gone by somebody's hand?
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { isMarked, type Shop } from "../support/shop.js";

/** The policy first, then the binding and one Work, or both, at the same time: nothing but the members knows it then. */
async function deleteByHand(shop: Shop, members: readonly string[]): Promise<void> {
  const old = (await shop.findBinding())?.metadata.uid;
  await shop.host.delete(shop.policy);
  await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
  const works = await Promise.all(members.map(member => shop.works(member)));
  const targets = works.flat().map(work => ({ kind: "Work", ...work.metadata }));
  await Promise.all([...targets, shop.binding].map(target => shop.host.delete(target)));
  await eventually("there is a new binding", async () => {
    const binding = await shop.findBinding();
    return binding !== undefined && binding.metadata.uid !== old && !binding.metadata.deletionTimestamp;
  });
}

describe("deleted by hand without a policy", () => {
  it.concurrent.each([
    ["member1", true, ["member1"]],
    ["member2", false, ["member2"]],
    ["both", true, ["member1", "member2"]],
    ["both", false, ["member1", "member2"]],
  ] as const)("lets go everywhere (Works of %s deleted, preserve: %s)", async (_, preserve, members) => {
    const shop = await openShop("frozen");
    const before = await shop.settle({ preserve, replicas: 0 });
    await deleteByHand(shop, members);
    const names = (await shop.findBinding())?.spec.clusters?.map(({ name }) => name);
    expect([...(names ?? [])].sort()).toEqual(["member1", "member2"]);

    await shop.host.delete(shop.web);
    await shop.gone(30_000);

    if (!preserve) return void (await shop.deletedIn("member1", "member2"));
    await shop.released(before);
    expect([await shop.copy("member1"), await shop.copy("member2")].map(isMarked)).toEqual([false, false]);
  });
});
