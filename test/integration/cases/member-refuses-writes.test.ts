// Is a member that fails every write remembered until it can be cleaned up, while the other one is done at once? (case 69)
import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { aMoment, type Shop } from "../support/shop.js";
import { breakWrites, type Break } from "../support/broken-writes.js";

/** True while the Work of the broken member says in that member's words what it waits for. */
async function saysWhy(shop: Shop): Promise<boolean> {
  const [work] = await shop.works("member2");
  const applied = work && conditionOf(work, "Applied");
  return applied?.reason === "FinalizerBlocked" && /webhook|closed for the day/.test(applied.message ?? "");
}

describe("a member that fails every write while the template is deleted", () => {
  it.concurrent.each`
    failure      | preserve | sentence
    ${"error"}   | ${false} | ${"answers 500: the copy goes when it recovers"}
    ${"error"}   | ${true}  | ${"answers 500: the copy is let go of when it recovers"}
    ${"refusal"} | ${false} | ${"answers 403: the copy goes when it recovers"}
    ${"refusal"} | ${true}  | ${"answers 403: the copy is let go of when it recovers"}
    ${"timeout"} | ${true}  | ${"times out: the copy is let go of when it recovers"}
  `("$sentence", async ({ failure, preserve }: { failure: Break; preserve: boolean }) => {
    const shop = await openShop("c69");
    const before = await shop.settle({ preserve });
    const mend = await breakWrites(shop.members.member2, shop.namespace, failure);

    await shop.host.delete(shop.web);

    if (preserve) await shop.released(before, ["member1"]);
    else await shop.deletedIn("member1");
    await eventually("the Work says what it waits for", () => saysWhy(shop), 20_000);
    await aMoment(4_000);
    expect(await saysWhy(shop)).toBe(true);
    expect((await shop.uids()).member2).toBe(before.member2);

    await mend();
    await shop.gone(60_000);
    if (preserve) await shop.released(before, ["member2"]);
    else await shop.deletedIn("member2");
  });
});
