// Does the removal of a cluster end, whether the cluster is dead or was not looked at yet? (case 04)
import { describe, expect, it } from "vitest";
import type { Target } from "../../support/site.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import { isMarked, type Shop } from "../../support/shop.js";
import { rejoin } from "../../support/rejoin.js";

const clusters = breakable();
const CLUSTER: Target = { kind: "Cluster", name: "member2" };
const NAMESPACE: Target = { kind: "Namespace", name: "karmada-es-member2" };

const left = (shop: Shop): Promise<true> =>
  eventually(
    "the cluster and its namespace are gone",
    async () => !(await shop.host.find(CLUSTER)) && !(await shop.host.find(NAMESPACE)),
    110_000,
  );

describe("a cluster that is removed", () => {
  it("goes although it is dead, and an event says what was left behind", async () => {
    const shop = await clusters.openShop("dead");
    const before = await shop.settle();
    await clusters.kill("member2-apiserver");
    await clusters.untilReady("member2", "False");
    expect((await shop.works("member2")).length).toBe(1);

    await shop.host.delete(CLUSTER);
    await left(shop);

    const events = await shop.host.list("Event");
    const said = events.filter(event => JSON.stringify(event).includes("ResourcesLeftBehind"));
    expect(JSON.stringify(said)).toContain(`${shop.namespace}/web`);
    expect(await shop.template()).toBeDefined();
    await clusters.start("member2-apiserver");
    expect(await shop.uids()).toEqual(before);
    await rejoin(clusters.env(), "member2");
    // What it carries are our marks: it is known again, and not made anew.
    expect(await shop.settled()).toEqual(before);
  });

  it("is cleaned up where it answers, also when the operator starts in the middle of it", async () => {
    const [gone, kept] = await Promise.all([clusters.openShop("leave"), clusters.openShop("leave-k")]);
    const [, before] = await Promise.all([gone.settle(), kept.settle({ preserve: true })]);
    await clusters.kill("watcher");
    await gone.host.delete(CLUSTER);
    await clusters.start("watcher");

    await left(gone);
    await gone.deletedIn("member2");
    await kept.released(before, ["member2"]);
    expect(isMarked(await gone.copy("member1"))).toBe(true);

    await rejoin(clusters.env(), "member2");
    await gone.settled();
  });
});
