// Are deletions blocked, or decided otherwise, while nobody answers at their doors?
import { describe, expect, it, onTestFinished } from "vitest";
import { aMoment } from "../../support/shop.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import type { Site, Target } from "../../support/site.js";

const clusters = breakable();

/** How long the deletion took, milliseconds. */
async function timed(site: Site, target: Target): Promise<number> {
  const began = performance.now();
  await site.delete(target);
  return performance.now() - began;
}

describe("without admission", () => {
  it("deletions go through at once, and are decided as ever", async () => {
    const [kept, lost, whole] = await Promise.all(["open-kept", "open-lost", "open-ns"].map(n => clusters.openShop(n)));
    if (!kept || !lost || !whole) throw new Error("three shops");
    const [before] = await Promise.all([
      kept.settle({ preserve: true, replicas: 0 }),
      lost.settle({ replicas: 0 }),
      whole.settle({ replicas: 0 }),
    ]);
    if (!before) throw new Error("settled");
    await clusters.kill("admission");
    onTestFinished(() => clusters.start("admission"));

    const namespace = { kind: "Namespace", name: whole.namespace };
    const took = await Promise.all([
      timed(kept.host, kept.web),
      timed(lost.host, lost.web),
      timed(lost.host, lost.policy),
      timed(whole.host, namespace),
    ]);

    expect(Math.max(...took)).toBeLessThan(9_000);
    await Promise.all([kept, lost, whole].map(shop => shop.gone(30_000)));
    await kept.released(before);
    await lost.deletedIn("member1", "member2");
    await whole.deletedIn("member1", "member2");
  });

  it("that hangs, they wait a few seconds and no longer", async () => {
    const [shop, whole] = await Promise.all(["hang-web", "hang-ns"].map(n => clusters.openShop(n)));
    if (!shop || !whole) throw new Error("two shops");
    const [before] = await Promise.all([shop.settle({ preserve: true, replicas: 0 }), whole.settle({ replicas: 0 })]);
    if (!before) throw new Error("settled");
    clusters.freeze("admission");
    await aMoment(100);

    const namespace = { kind: "Namespace", name: whole.namespace };
    const [one, all] = await Promise.all([timed(shop.host, shop.web), timed(whole.host, namespace)]);

    // The API server gives each door its few seconds, and may ask a second time when the object has changed meanwhile.
    expect(one).toBeLessThan(9_000);
    expect(all).toBeLessThan(18_000);
    await shop.gone(30_000);
    await shop.released(before);
    await eventually("the namespace is gone", async () => !(await whole.host.find(namespace)), 60_000);
    await whole.deletedIn("member1", "member2");
  });
});
