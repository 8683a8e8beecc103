// Does a binding or a Work that somebody deletes, while its template lives, change anything in a member?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { aMoment, isMarked, type Shop } from "../support/shop.js";

async function facts(shop: Shop): Promise<unknown[]> {
  const copies = await Promise.all([shop.copy("member1"), shop.copy("member2")]);
  return copies.map(copy => [copy?.metadata.uid, copy?.metadata.generation, isMarked(copy)]);
}

const isNew = (object: KubeObject | undefined, old: KubeObject | undefined): boolean =>
  object !== undefined && object.metadata.uid !== old?.metadata.uid && !object.metadata.deletionTimestamp;

describe("deleted by hand", () => {
  it.concurrent.each([undefined, true])("makes the binding again, members untouched (preserve: %s)", async preserve => {
    const shop = await openShop("hand");
    await shop.settle({ preserve });
    const [before, old] = [await facts(shop), await shop.findBinding()];

    await shop.host.delete(shop.binding);

    await eventually("there is a new binding", async () => isNew(await shop.findBinding(), old));
    await aMoment(1_500);
    expect(await facts(shop)).toEqual(before);
  });

  it.concurrent.each([undefined, true])("makes a Work again, members untouched (preserve: %s)", async preserve => {
    const shop = await openShop("hand-w");
    await shop.settle({ preserve });
    const before = await facts(shop);
    const [old] = await shop.works("member1");

    await shop.host.delete({ kind: "Work", ...old?.metadata, name: old?.metadata.name ?? "" });

    await eventually("there is a new Work", async () => isNew((await shop.works("member1"))[0], old));
    await aMoment(1_500);
    expect(await facts(shop)).toEqual(before);
  });

  it.concurrent("makes binding and Works again when all are deleted at once", async () => {
    const shop = await openShop("hand-a");
    await shop.settle();
    const before = await facts(shop);
    const works = await shop.works();
    const old = await shop.findBinding();

    const all = [shop.binding, ...works.map(w => ({ kind: "Work", ...w.metadata }))];
    await Promise.all(all.map(target => shop.host.delete(target)));

    await eventually("there is a new binding", async () => isNew(await shop.findBinding(), old));
    await eventually("there are new Works", async () => {
      const found = await shop.works();
      return found.length === 2 && found.every(work => works.every(w => isNew(work, w)));
    });
    await aMoment(1_500);
    expect(await facts(shop)).toEqual(before);
  });

  it.concurrent("still keeps, or deletes, when the template goes right after", async () => {
    const [kept, dropped] = await Promise.all([openShop("hand-k"), openShop("hand-d")]);
    const [before] = await Promise.all([kept.settle(), dropped.settle()]);

    await Promise.all(
      [kept, dropped].map(async shop => {
        await shop.host.delete(shop.binding);
        if (shop === kept) await shop.preserve(true);
        await shop.host.delete(shop.web);
      }),
    );

    await Promise.all([kept.gone(), dropped.gone()]);
    await kept.released(before);
    await dropped.deletedIn("member1", "member2");
  });

  it.concurrent.each([0, 5, 20, 60, 150])(
    "still keeps, or deletes, when binding and Works all went and the template goes %i ms later",
    async delayMs => {
      const [kept, dropped] = await Promise.all([openShop("hand-ak"), openShop("hand-ad")]);
      const [before] = await Promise.all([
        kept.settle({ preserve: true, replicas: 0 }),
        dropped.settle({ replicas: 0 }),
      ]);

      await Promise.all(
        [kept, dropped].map(async shop => {
          const works = (await shop.works()).map(w => ({ kind: "Work", ...w.metadata }));
          await Promise.all([shop.binding, ...works].map(target => shop.host.delete(target)));
          await aMoment(delayMs);
          await shop.host.delete(shop.web);
        }),
      );

      await Promise.all([kept.gone(30_000), dropped.gone(30_000)]);
      await kept.released(before);
      await dropped.deletedIn("member1", "member2");
    },
  );

  it.concurrent("changes nothing for a template whose policy is gone", async () => {
    const shop = await openShop("hand-f");
    await shop.host.apply(shop.zeroOverrideYaml());
    await shop.settle();
    const before = await facts(shop);
    await shop.host.delete(shop.policy);
    await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
    await shop.host.delete({ kind: "OverridePolicy", namespace: shop.namespace, name: "zero-m1" });
    const [works, old] = [await shop.works(), await shop.findBinding()];

    await shop.host.delete(shop.binding);
    await eventually("there is a new binding", async () => isNew(await shop.findBinding(), old));
    await Promise.all(works.map(w => shop.host.delete({ kind: "Work", ...w.metadata })));
    await eventually("there are new Works", async () => {
      const found = await shop.works();
      return found.length === 2 && found.every(work => works.every(w => isNew(work, w)));
    });
    await aMoment(2_000);

    expect(await facts(shop)).toEqual(before);
  });
});
