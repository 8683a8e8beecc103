// Is a workload kept when keep is switched on and the template deleted in the same instant? The heart of the promise.
import { describe, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import type { Shop } from "../support/shop.js";

const RUNS = 20;
const LANES = 5;

/** Runs each attempt in a shop of its own, a few at a time. */
async function inLanes(attempt: (shop: Shop, run: number) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let run = lane; run < RUNS; run += LANES) await attempt(await openShop(`flip-${run}`), run);
  });
  await Promise.all(lanes);
}

describe("keep and delete in the same instant", () => {
  it(`keeps in ${RUNS} of ${RUNS} runs`, async () => {
    await inLanes(async shop => {
      const before = await shop.settle({ replicas: 0 });

      await shop.preserve(true);
      await shop.host.delete(shop.web);

      await shop.gone(30_000);
      await shop.released(before);
    });
  });

  it(`keeps when keep is switched off again right after, in ${RUNS} of ${RUNS} runs`, async () => {
    await inLanes(async shop => {
      const before = await shop.settle({ replicas: 0 });

      await shop.preserve(true);
      await shop.host.delete(shop.web);
      await shop.preserve(false);

      await shop.gone(30_000);
      await shop.released(before);
    });
  });

  it(`keeps when policy and template go together after it, in whatever order, in ${RUNS} of ${RUNS} runs`, async () => {
    await inLanes(async (shop, run) => {
      const before = await shop.settle({ replicas: 0 });

      await shop.preserve(true);
      const both = run % 2 === 0 ? [shop.policy, shop.web] : [shop.web, shop.policy];
      if (run % 4 < 2) await Promise.all(both.map(target => shop.host.delete(target)));
      else for (const target of both) await shop.host.delete(target);

      await shop.gone(30_000);
      await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
      await shop.released(before);
    });
  });
});
