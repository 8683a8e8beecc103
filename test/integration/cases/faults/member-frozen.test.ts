// Does a member that accepts connections and never answers delay the other one? (issue, section 7)
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import { timed } from "../../support/eventually.js";

const APPS = 20;
const clusters = breakable();

describe("a member that never answers", () => {
  it("does not delay the other one, and is served when it thaws", async ({ annotate }) => {
    const old = await clusters.openShop("ice-old");
    const before = await old.settle();
    const shops = await Promise.all(Array.from({ length: APPS }, (_, n) => clusters.openShop(`ice-${n}`)));

    clusters.freeze("member2-apiserver");
    const began = performance.now();
    await Promise.all(shops.map(shop => shop.host.apply(`${shop.templateYaml()}---${shop.policyYaml()}`)));
    await old.host.delete(old.web);
    await Promise.all(
      shops.map(shop => timed("web is in member1", async () => (await shop.copy("member1")) !== undefined, 30_000)),
    );
    const tookMs = Math.round(performance.now() - began);
    await timed("the old app is gone from member1", async () => !(await old.copy("member1")));
    await annotate(`${APPS} apps in the healthy member: ${tookMs} ms`);
    expect(tookMs).toBeLessThan(15_000);
    await clusters.untilReady("member2", "False");
    expect((await old.works("member2")).length).toBe(1);

    clusters.thaw("member2-apiserver");
    await Promise.all(
      shops.map(shop => timed("web is in member2", async () => (await shop.copy("member2")) !== undefined, 60_000)),
    );
    await old.gone(30_000);
    await old.deletedIn("member2");
    expect(before.member2).not.toBe("");
  });
});
