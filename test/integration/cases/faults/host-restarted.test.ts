// Does everything go on by itself when the host's API server goes away and comes back?
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import { aMoment } from "../../support/shop.js";

const clusters = breakable();

describe("the host's API server restarted", () => {
  it.each(["stop", "kill"] as const)("deletes nothing, and serves what comes after it (%s)", async how => {
    const [stays, goes, comes] = await Promise.all(["stay", "go", "come"].map(n => clusters.openShop(`host-${n}`)));
    if (!stays || !goes || !comes) throw new Error("three shops");
    const [before] = await Promise.all([stays.settle(), goes.settle()]);

    // In the middle of a decision, as far as that can be hit.
    await goes.host.delete(goes.web);
    await aMoment(Math.random() * 60);
    await clusters[how]("host-apiserver");
    await aMoment(3_000);
    await clusters.start("host-apiserver");

    await comes.settle();
    await goes.gone(30_000);
    await goes.deletedIn("member1", "member2");
    expect(await stays.uids()).toEqual(before);
  });
});
