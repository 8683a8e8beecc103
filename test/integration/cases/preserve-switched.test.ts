// Do policy, binding and Works say the same after every edit of keep, without a touch to the members? (case 20)
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { applied } from "../support/case-kubectl.js";
import { eventually } from "../support/eventually.js";
import type { Shop } from "../support/shop.js";

async function agree(shop: Shop, wanted: boolean): Promise<boolean> {
  const [binding, works] = await Promise.all([shop.findBinding(), shop.works()]);
  const said = [binding?.spec.preserveResourcesOnDeletion, ...works.map(w => w.spec.preserveResourcesOnDeletion)];
  return works.length === 2 && said.every(value => (value ?? false) === wanted);
}

async function generations(shop: Shop): Promise<unknown[]> {
  const copies = await Promise.all([shop.copy("member1"), shop.copy("member2")]);
  return copies.map(copy => [copy?.metadata.uid, copy?.metadata.generation]);
}

describe("switching preserveResourcesOnDeletion", () => {
  it.concurrent("reaches binding and Works each time, and the members never", async () => {
    const shop = await openShop("c20");
    await shop.settle();
    const before = await generations(shop);

    const steps: { readonly value: boolean | null; readonly says: boolean }[] = [
      { value: true, says: true },
      { value: false, says: false },
      { value: true, says: true },
      { value: null, says: false },
    ];
    for (const { value, says } of steps) {
      await shop.preserve(value);
      await eventually(`all say ${says} after ${value}`, () => agree(shop, says), 10_000);
    }
    const ways = [(file: string) => applied("host", file), (file: string) => shop.host.apply(file)];
    // First as `kubectl apply` does it, then as `kubectl apply --server-side`.
    for (const apply of ways) {
      await apply(shop.policyYaml({ preserve: true }));
      await eventually("all say true", () => agree(shop, true), 10_000);
      await apply(shop.policyYaml());
      await eventually("all say false when the line is gone", () => agree(shop, false), 10_000);
    }

    expect(await generations(shop)).toEqual(before);
    await shop.host.delete(shop.web);
    await shop.deletedIn("member1", "member2");
  });

  it.concurrent("is obeyed as it stood last", async () => {
    const shop = await openShop("c20k");
    const before = await shop.settle({ preserve: true });

    await shop.preserve(null);
    await shop.preserve(true);
    await shop.host.delete(shop.web);

    await shop.gone();
    await shop.released(before);
  });
});
