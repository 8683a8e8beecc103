// What does the operator make of policies and copies that went while it was down? (cases 01 and 15)
import { describe, expect, it } from "vitest";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import { deleteAndWait, type Shop } from "../../support/shop.js";

const CLAIM = /propagationpolicy\.karmada\.io/;
const clusters = breakable();

async function claimedBy(shop: Shop): Promise<string | undefined> {
  return (await shop.template())?.metadata.annotations?.["propagationpolicy.karmada.io/name"];
}

describe("deleted while the operator was down", () => {
  it("a policy goes within seconds of its return, and leaves members alone and the template free", async () => {
    const [plain, keeping] = await Promise.all(["away-pp", "away-ppk"].map(name => clusters.openShop(name)));
    if (!plain || !keeping) throw new Error("two shops");
    const shops = [plain, keeping];
    const before = await Promise.all([plain.settle(), keeping.settle({ preserve: true })]);

    await clusters.kill("watcher");
    await Promise.all(shops.map(shop => shop.host.delete(shop.policy)));
    await clusters.start("watcher");

    for (const shop of shops) {
      await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)), 30_000);
      await eventually("the template carries no claim", async () => {
        const template = await shop.template();
        return template !== undefined && !CLAIM.test(JSON.stringify(template.metadata));
      });
      await shop.host.apply(shop.policyYaml().replace("web-pp", "next"));
      await eventually("the next policy has claimed it", async () => (await claimedBy(shop)) === "next");
    }
    expect(await Promise.all(shops.map(shop => shop.uids()))).toEqual(before);
  });

  it("a copy, or its whole namespace, does not hold up the rest, and is not made again", async () => {
    const [copy, space] = await Promise.all(["away-copy", "away-ns"].map(name => clusters.openShop(name)));
    if (!copy || !space) throw new Error("two shops");
    const [beforeCopy, beforeSpace] = await Promise.all([copy, space].map(shop => shop.settle({ preserve: true })));
    if (!beforeCopy || !beforeSpace) throw new Error("settled");
    const { member1 } = copy.members;

    await clusters.kill("watcher");
    await deleteAndWait(member1, copy.web);
    await deleteAndWait(member1, { kind: "Namespace", name: space.namespace }, 60_000);
    await Promise.all([copy, space].map(shop => shop.host.delete(shop.web)));
    await clusters.start("watcher");

    await Promise.all([copy, space].map(shop => shop.gone(30_000)));
    await copy.released(beforeCopy, ["member2"]);
    await space.released(beforeSpace, ["member2"]);
    expect([await copy.copy("member1"), await space.copy("member1")]).toEqual([undefined, undefined]);
  });
});
