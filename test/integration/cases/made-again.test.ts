// What happens to the copies when policy or template are made again under their names?
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { breakWrites } from "../support/broken-writes.js";
import { aMoment, deleteAndWait, isMarked } from "../support/shop.js";

describe("made again under its name", () => {
  it.concurrent("a policy claims the template anew, and the copies stay the same objects", async () => {
    const shop = await openShop("again-p");
    const before = await shop.settle();
    const id = (await shop.host.find(shop.policy))?.metadata.labels?.["propagationpolicy.karmada.io/permanent-id"];

    await deleteAndWait(shop.host, shop.policy);
    await shop.host.apply(shop.policyYaml({ preserve: true }));

    await eventually("the new policy has claimed the template", async () => {
      const now = (await shop.template())?.metadata.labels?.["propagationpolicy.karmada.io/permanent-id"];
      return now !== undefined && now !== id;
    });
    expect(await shop.uids()).toEqual(before);
    await eventually("the binding has its word", async () =>
      Boolean((await shop.findBinding())?.spec.preserveResourcesOnDeletion),
    );
    await shop.host.delete(shop.web);
    await shop.released(before);
  });

  it.concurrent("a namesake's word is not taken for that of the policy that had claimed the template", async () => {
    const shop = await openShop("again-n");
    const before = await shop.settle({ preserve: true });

    await shop.host.delete(shop.web, { propagation: "Foreground" });
    await deleteAndWait(shop.host, shop.policy);
    await shop.host.apply(shop.policyYaml({ preserve: false }));

    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("a template takes over from the one that leaves, at any moment", async () => {
    await Promise.all(
      [0, 20, 60, 120, 250, 500].map(async pauseMs => {
        const shop = await openShop(`again-${pauseMs}`);
        await shop.settle();

        await deleteAndWait(shop.host, shop.web);
        await aMoment(pauseMs);
        const [template] = await shop.host.apply(shop.templateYaml());

        await eventually("the Works are the new template's", async () => {
          const works = await shop.works();
          const uids = works.map(w => w.metadata.annotations?.["resourcetemplate.karmada.io/uid"]);
          return uids.length === 2 && uids.every(uid => uid === template?.metadata.uid);
        });
        const first = await shop.settled();
        await aMoment(2_000);
        expect(await shop.uids()).toEqual(first);
        expect(isMarked(await shop.copy("member1"))).toBe(true);
      }),
    );
  });

  it.concurrent("a template takes the very object over where the old one could not be deleted yet", async () => {
    const shop = await openShop("again-s");
    const before = await shop.settle();
    const mend = await breakWrites(shop.members.member2, shop.namespace, "error");

    await deleteAndWait(shop.host, shop.web);
    await shop.host.apply(shop.templateYaml());
    await eventually("the Work is the new template's", async () => {
      const [work] = await shop.works("member2");
      const uid = work?.metadata.annotations?.["resourcetemplate.karmada.io/uid"];
      return uid === (await shop.template())?.metadata.uid;
    });
    await mend();

    const after = await shop.settled();
    expect(after.member2).toBe(before.member2);
  });
});
