// Is anything left when template and policy are deleted a moment after they were made, again and again? (case 72)
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { breakWrites } from "../support/broken-writes.js";
import { aMoment, deleteAndWait, type Shop } from "../support/shop.js";

const ROUNDS = 50;
const LANES = 10;

async function round(shop: Shop, pauseMs: number): Promise<void> {
  await shop.host.apply(`${shop.templateYaml()}---${shop.policyYaml()}`);
  await aMoment(pauseMs);
  await Promise.all([deleteAndWait(shop.host, shop.web, 30_000), deleteAndWait(shop.host, shop.policy, 30_000)]);
}

async function nothingLeft(shop: Shop, ceilingMs = 15_000): Promise<void> {
  await shop.gone(ceilingMs);
  await eventually(
    "no member has web",
    async () => Object.values(await shop.uids()).every(uid => uid === ""),
    ceilingMs,
  );
}

describe("created and deleted at once", () => {
  it.concurrent(`leaves nothing behind in ${ROUNDS} rounds`, async () => {
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const shop = await openShop(`c72-${lane}`);
      for (let n = 0; n < ROUNDS / LANES; n++) await round(shop, (n * LANES + lane) * 12);
      await nothingLeft(shop);
      return shop;
    });

    const shops = await Promise.all(lanes);
    await aMoment(3_000);
    for (const shop of shops) expect(await shop.uids()).toEqual({ member1: "", member2: "" });
  });

  it.concurrent("waits for a creation that is under way in a slow member", async () => {
    const shop = await openShop("c72s");
    await shop.members.member2.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${shop.namespace}}}`);
    const mend = await breakWrites(shop.members.member2, shop.namespace, "slow");

    await round(shop, 700);
    await nothingLeft(shop, 40_000);
    await aMoment(6_000);

    expect(await shop.uids()).toEqual({ member1: "", member2: "" });
    await mend();
  });
});
