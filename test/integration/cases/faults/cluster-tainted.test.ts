// Does a tainted cluster get nothing new, keep what it has, and get what tolerates the taint?
import { describe, expect, it, onTestFinished } from "vitest";
import { conditionOf } from "../../../../lib/engine/conditions.js";
import { eventually, stays } from "../../support/eventually.js";
import { breakable } from "../../support/faults.js";
import type { Shop } from "../../support/shop.js";

const clusters = breakable();
const CLUSTER = { kind: "Cluster", name: "member2" } as const;
const TAINT = { key: "team.example/maintenance", value: "yes", effect: "NoSchedule" };

async function taint({ host }: Shop, effect: string): Promise<void> {
  onTestFinished(async () => void (await host.patch(CLUSTER, { spec: { taints: null } })));
  await host.patch(CLUSTER, { spec: { taints: [{ ...TAINT, effect }] } });
}

function tolerating(shop: Shop, toleration: object): string {
  const clusterTolerations = JSON.stringify([toleration]);
  return shop.policyYaml().replace("placement: {", `placement: {clusterTolerations: ${clusterTolerations}, `);
}

describe("a cluster with a taint", () => {
  it("gets nothing new, and the binding names the taint", async () => {
    const shop = await clusters.openShop("taint");
    await taint(shop, "NoSchedule");
    await shop.host.apply(`${shop.templateYaml()}---${shop.policyYaml()}`);
    await shop.settled(["member1"]);
    const message = await eventually("the binding names the taint", async () => {
      const said = conditionOf(await shop.findBinding(), "Scheduled")?.message ?? "";
      return said.includes("member2") && said;
    });
    expect(message).toContain("clusterTolerations does not tolerate its taint team.example/maintenance=yes:NoSchedule");

    await shop.host.patch(CLUSTER, { spec: { taints: null } });
    await shop.settled();
  });

  it.each(["NoSchedule", "NoExecute"])("keeps what it has when %s comes later", async effect => {
    const shop = await clusters.openShop("taint");
    const before = await shop.settle();
    await taint(shop, effect);
    await shop.host.apply(shop.templateYaml().replace("replicas: 2", "replicas: 3"));
    await eventually("the change is in the tainted cluster, too", async () => {
      const spec = (await shop.copy("member2"))?.["spec"] as { readonly replicas?: number } | undefined;
      return spec?.replicas === 3;
    });
    expect(await stays("uids in the members", () => shop.uids(), 2_000)).toEqual(before);
  });

  it.each`
    toleration                                                                   | goes
    ${{ key: TAINT.key, operator: "Equal", value: "yes", effect: "NoSchedule" }} | ${["member1", "member2"]}
    ${{ key: TAINT.key, operator: "Exists" }}                                    | ${["member1", "member2"]}
    ${{ operator: "Exists" }}                                                    | ${["member1", "member2"]}
    ${{ key: TAINT.key, operator: "Equal", value: "no" }}                        | ${["member1"]}
    ${{ key: TAINT.key, operator: "Exists", effect: "NoExecute" }}               | ${["member1"]}
  `(
    "gets what tolerates it: $toleration → $goes",
    async ({ toleration, goes }: { toleration: object; goes: string[] }) => {
      const shop = await clusters.openShop("taint");
      await taint(shop, "NoSchedule");
      await shop.host.apply(`${shop.templateYaml()}---${tolerating(shop, toleration)}`);
      await shop.settled(goes);
    },
  );
});
