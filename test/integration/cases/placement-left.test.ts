// What becomes of a copy when its cluster leaves the placement, and comes back to it? (case 12)
import { describe, expect, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { aMoment, isMarked, type Shop } from "../support/shop.js";

const place = (shop: Shop, clusterNames: readonly string[], more: object = {}) =>
  shop.host.patch(shop.policy, { spec: { placement: { clusterAffinity: { clusterNames } }, ...more } });

const keptByPolicy = ({ namespace }: Shop): string =>
  `stays in member1, free of every mark; decided by: PropagationPolicy ${namespace}/web-pp`;

describe("a cluster leaves the placement", () => {
  it.concurrent("deletes the copy there, and makes it again when the cluster is listed again", async () => {
    const shop = await openShop("c12");
    const before = await shop.settle();

    await place(shop, ["member2"]);
    await shop.deletedIn("member1");
    await eventually("its Work is gone", async () => (await shop.works("member1")).length === 0);

    await place(shop, ["member1", "member2"]);
    const after = await shop.settled();
    expect(after.member2).toBe(before.member2);
  });

  it.concurrent("lets go of the copy without a trace when it is to be kept", async () => {
    const shop = await openShop("c12p");
    const before = await shop.settle({ preserve: true });

    await place(shop, ["member2"]);
    await shop.released(before, ["member1"]);
    await eventually("an Event says so", async () => {
      const events = await shop.host.list("Event", shop.namespace);
      return events.some(({ reason, note }) => reason === "ResourcesPreserved" && note === keptByPolicy(shop));
    });
    await eventually("its Work is gone", async () => (await shop.works("member1")).length === 0);

    await place(shop, ["member1", "member2"], { conflictResolution: "Overwrite" });
    expect(await shop.settled()).toEqual(before);
  });

  it.concurrent("keeps when keep and the new placement come in one edit, or one right after the other", async () => {
    const [atOnce, after] = await Promise.all([openShop("c12e"), openShop("c12f")]);
    const before = await Promise.all([atOnce.settle(), after.settle()]);

    await Promise.all([
      place(atOnce, ["member2"], { preserveResourcesOnDeletion: true }),
      after.preserve(true).then(() => place(after, ["member2"])),
    ]);

    await atOnce.released(before[0], ["member1"]);
    await after.released(before[1], ["member1"]);
  });

  it.concurrent(
    "moves nothing when no cluster fits any more, even when the binding is deleted by hand then",
    async () => {
      const shop = await openShop("c12n");
      const before = await shop.settle();

      await place(shop, ["nowhere"]);
      await aMoment();
      await shop.host.delete(shop.binding);
      await eventually("the binding is made again", async () => {
        const binding = await shop.findBinding();
        return binding !== undefined && !binding.metadata.deletionTimestamp;
      });
      await aMoment(2_000);

      expect(await shop.uids()).toEqual(before);
      expect(isMarked(await shop.copy("member1"))).toBe(true);
    },
  );

  it.concurrent("is not left when no cluster fits any more: the word before the deletion counts", async () => {
    const shop = await openShop("c12w");
    const before = await shop.settle();

    await place(shop, ["nowhere"]);
    await aMoment();
    await shop.preserve(true);
    await shop.host.delete(shop.web);

    await shop.released(before, ["member1", "member2"]);
  });

  it.concurrent.each([0, 5, 20, 60])(
    "loses track of no copy when, %i ms after the move, no cluster fits, its Work is deleted by hand and the template goes",
    async delayMs => {
      const [kept, dropped] = await Promise.all([openShop("c12k"), openShop("c12d")]);
      const before = await kept.settle({ preserve: true });
      await dropped.settle();

      await Promise.all(
        [kept, dropped].map(async shop => {
          const [work] = await shop.works("member1");
          await place(shop, ["member2"]);
          await aMoment(delayMs);
          await Promise.all([
            place(shop, ["nowhere"]),
            shop.host.delete({ kind: "Work", ...work?.metadata, name: work?.metadata.name ?? "" }),
          ]);
          await shop.host.delete(shop.web);
        }),
      );

      await Promise.all([kept.gone(60_000), dropped.gone(60_000)]);
      await kept.released(before, ["member1", "member2"]);
      await dropped.deletedIn("member1", "member2");
    },
  );
});
