// Does the host tell a write that is tried again apart from one that a member refuses?
import { describe, expect, it } from "vitest";
import type { Condition, KubeObject } from "../../../crds/object.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { breakWrites, type Break } from "../support/broken-writes.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import type { Shop } from "../support/shop.js";

const CEILING_MS = 120_000;

/** What the template says of its rollout. */
async function progressing(shop: Shop): Promise<Condition | undefined> {
  const template: KubeObject | undefined = await shop.template();
  return conditionOf(template as { status?: { conditions?: Condition[] } } | undefined, "Progressing");
}

describe("a member that fails every write while the template is changed", () => {
  it.concurrent.each`
    failure      | sentence                                      | reason             | status       | told
    ${"error"}   | ${"answers 500: unknown, never called failed"} | ${"ApplyRetried"}  | ${"Unknown"} | ${"NotReported"}
    ${"refusal"} | ${"answers 403: failed"}                       | ${"AppliedFailed"} | ${"False"}   | ${"NotApplied"}
  `(
    "$sentence",
    async ({ failure, reason, status, told }: Record<string, string>) => {
      const shop = await openShop("retried");
      await shop.settle();
      const mend = await breakWrites(shop.members.member2, shop.namespace, failure as Break);
      const seen = new Set<string>();

      await shop.host.apply(shop.templateYaml({ replicas: 3 }));
      await eventually(
        `the template says ${status}`,
        async () => {
          const condition = await progressing(shop);
          seen.add(`${condition?.status} ${condition?.reason}`);
          if (!condition || condition.reason !== told) return false;
          return /^member2: .*(webhook|closed for the day)/.test(condition.message ?? "");
        },
        CEILING_MS,
      );

      expect(await progressing(shop)).toMatchObject({ status, reason: told });
      const [work] = await shop.works("member2");
      expect(conditionOf(work, "Applied")).toMatchObject({ status: "False", reason });
      const items = (await shop.findBinding())?.status?.aggregatedStatus ?? [];
      expect(items.find(item => item.clusterName === "member2")?.pending).toBe(status === "Unknown" ? true : undefined);

      await mend();
      await eventually(
        "the change is there and told",
        async () => {
          const condition = await progressing(shop);
          seen.add(`${condition?.status} ${condition?.reason}`);
          const copy = await shop.copy("member2");
          const spec = copy?.["spec"] as { readonly replicas?: number } | undefined;
          if (spec?.replicas === 3 && condition?.reason !== told) return true;
          throw new Error(`${spec?.replicas} replicas in member2; ${JSON.stringify(condition)}`);
        },
        CEILING_MS,
      );
      if (status === "Unknown") expect([...seen].join()).not.toContain("False");
    },
    300_000,
  );
});
