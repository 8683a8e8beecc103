// What happens to deletions while a member is down, and when it comes back? (case 06, and a member away for a while)
import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../../lib/engine/conditions.js";
import { breakable } from "../../support/faults.js";
import { eventually, timed } from "../../support/eventually.js";
import { aMoment } from "../../support/shop.js";

const AWAY_MS = 15_000;
const clusters = breakable();

describe("a member that is down", () => {
  it("is remembered: what was deleted meanwhile goes or is let go of when it is back, the rest is untouched", async ({
    annotate,
  }) => {
    const names = ["gone", "kept", "stays", "late", "hand"] as const;
    const shops = await Promise.all(names.map(name => clusters.openShop(`away-${name}`)));
    const [gone, kept, stays, late, hand] = shops;
    if (!gone || !kept || !stays || !late || !hand) throw new Error("five shops");
    const before = {
      gone: await gone.settle(),
      kept: await kept.settle({ preserve: true }),
      stays: await stays.settle(),
      hand: await hand.settle(),
    };

    await clusters.kill("member2-apiserver");
    await clusters.untilReady("member2", "False");
    const began = performance.now();
    await Promise.all([gone, kept].map(shop => shop.host.delete(shop.web)));
    await hand.host.delete(hand.binding);
    await late.host.apply(`${late.templateYaml()}---${late.policyYaml()}`);

    await gone.members.member1.find(gone.web);
    await eventually("member1 is done at once", async () => !(await gone.members.member1.find(gone.web)));
    await eventually("and the template is gone at once", async () => !(await gone.template()));
    for (const shop of [gone, kept]) {
      await eventually("the Work is Terminating and says what it waits for", async () => {
        const [work] = await shop.works("member2");
        const says = conditionOf(work, "Applied")?.message ?? "";
        return work?.metadata.deletionTimestamp !== undefined && says.includes("waits for cluster member2");
      });
    }
    await aMoment(Math.max(0, AWAY_MS - (performance.now() - began)));
    expect((await gone.works("member2")).length).toBe(1);
    expect((await stays.works("member2")).length).toBe(1);

    await clusters.start("member2-apiserver");
    const tookMs = await timed("the late app is there", async () => (await late.copy("member2")) !== undefined, 30_000);
    await annotate(`from the member's return to the late app in it: ${tookMs} ms`);
    await Promise.all([gone, kept].map(shop => shop.gone(30_000)));
    await gone.deletedIn("member2");
    await kept.released(before.kept);
    expect(await stays.uids()).toEqual(before.stays);
    expect(await hand.settled()).toEqual(before.hand);
    // The goal is 1 s from the moment when it answers again; the ceiling is far below a resync.
    expect(tookMs).toBeLessThan(15_000);
  });
});
