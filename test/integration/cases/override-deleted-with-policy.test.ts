// Do two deletes in one command start pods that an override holds down? (case 10)
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { aMoment } from "../support/shop.js";

const RUNS = 10;

/** The copy in the first member, as it must stay: its generation moves with every change of spec. */
async function zeroed(shop: Awaited<ReturnType<typeof openShop>>) {
  const copy = await shop.copy("member1");
  const { replicas } = (copy?.["spec"] ?? {}) as { readonly replicas?: number };
  return { uid: copy?.metadata.uid, generation: copy?.metadata.generation, replicas };
}

describe("policy and override deleted together", () => {
  it(`leaves the overridden copy as it is, in ${RUNS} of ${RUNS} runs`, async () => {
    const runs = Array.from({ length: RUNS }, async (_, run) => {
      const shop = await openShop(`c10-${run}`);
      await shop.host.apply(shop.zeroOverrideYaml());
      await shop.settle();
      const before = await zeroed(shop);
      expect(before.replicas).toBe(0);

      const override = { kind: "OverridePolicy", namespace: shop.namespace, name: "zero-m1" };
      const both = run % 2 === 0 ? [shop.policy, override] : [override, shop.policy];
      await Promise.all(both.map(target => shop.host.delete(target)));

      await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
      await aMoment(6_000);
      return { before, after: await zeroed(shop) };
    });

    for (const { before, after } of await Promise.all(runs)) expect(after).toEqual(before);
  });

  it("leaves it as it is when the override goes long after the policy", async () => {
    const shop = await openShop("c10-late");
    await shop.host.apply(shop.zeroOverrideYaml());
    await shop.settle();
    const before = await zeroed(shop);

    await shop.host.delete(shop.policy);
    await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
    await shop.host.delete({ kind: "OverridePolicy", namespace: shop.namespace, name: "zero-m1" });
    await aMoment(3_000);

    expect(await zeroed(shop)).toEqual(before);
  });
});
