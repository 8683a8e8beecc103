// Is anything lost when the operator is killed at random moments, while apps come and go?
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import { aMoment, deleteAndWait, isMarked, type Shop } from "../../support/shop.js";
import { eventually } from "../../support/eventually.js";

const APPS = 24;
const KILLS = 5;
const clusters = breakable();

/** Kills again and again, each time a moment after it has come to lead; the moments are of all lengths. */
async function havoc(): Promise<void> {
  for (let kills = 0; kills < KILLS; kills++) {
    await aMoment(Math.random() * 1_200);
    await clusters.killOperator();
  }
}

/** Comes, and goes a moment later; with its policy or before it, or its policy first and long before. */
async function comeAndGo(shop: Shop, n: number): Promise<void> {
  const preserve = n % 3 === 0;
  await shop.host.apply(`${shop.templateYaml({ replicas: 0 })}---${shop.policyYaml({ preserve })}`);
  await aMoment(Math.random() * 20_000);
  if (n % 4 === 0) {
    await deleteAndWait(shop.host, shop.policy, 60_000);
    await aMoment(Math.random() * 3_000);
  }
  await shop.host.delete(shop.web);
  if (n % 4 === 1) await shop.host.delete(shop.policy);
}

describe("the operator killed at random moments", () => {
  it("loses nothing and deletes nothing that stays", async () => {
    const stays = await Promise.all([undefined, true].map(() => clusters.openShop("kill-stay")));
    const before = await Promise.all(stays.map((shop, n) => shop.settle({ preserve: n === 1, replicas: 0 })));
    const shops = await Promise.all(Array.from({ length: APPS }, (_, n) => clusters.openShop(`kill-${n}`)));

    await Promise.all([havoc(), ...shops.map((shop, n) => comeAndGo(shop, n))]);

    await Promise.all(shops.map(shop => shop.gone(60_000)));
    for (const [n, shop] of shops.entries()) {
      if (n % 3 !== 0) await shop.deletedIn("member1", "member2");
      // Kept ones may have gone before they ever arrived; what is there carries no mark.
      else await noMarks(shop);
    }
    expect(await Promise.all(stays.map(shop => shop.uids()))).toEqual(before);
    await Promise.all(stays.map(shop => shop.settled()));
  });
});

async function noMarks(shop: Shop): Promise<void> {
  await eventually("no mark is left", async () => {
    const copies = await Promise.all([shop.copy("member1"), shop.copy("member2")]);
    return copies.every(copy => !isMarked(copy));
  });
}
