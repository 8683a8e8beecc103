// Is what a member refused tried again at once when somebody asks for it?
import { expect, it } from "vitest";
import { RECONCILE_ANNOTATION } from "../../../lib/domain/marks.js";
import { ALREADY_EXISTS } from "../../../lib/domain/presence.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { deleteAndWait, isMarked } from "../support/shop.js";

/** What is in the way is looked at again every 30 s. */
const SOON_MS = 20_000;

it("a refused object comes as soon as its policy is asked to try again", async () => {
  const shop = await openShop("again");
  const { member1 } = shop.members;
  await member1.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${shop.namespace}}}`);
  await member1.apply(shop.templateYaml());
  await shop.host.apply(`${shop.templateYaml()}---${shop.policyYaml()}`);
  const policy = await eventually(
    "the policy tells of the refusal",
    async () => {
      const [work] = await shop.works("member1");
      if (conditionOf(work, "Applied")?.reason !== ALREADY_EXISTS) return false;
      const found = await shop.host.find(shop.policy);
      const applied = conditionOf(found as Parameters<typeof conditionOf>[0], "Applied");
      return applied?.status === "False" && applied;
    },
    60_000,
  );
  expect(policy.message).toMatch(/^1 of 1 not applied: Deployment .*\/web in member1: /);

  await deleteAndWait(member1, shop.web);
  await shop.host.patch(shop.policy, { metadata: { annotations: { [RECONCILE_ANNOTATION]: "now" } } });

  await eventually("web is in member1", async () => isMarked(await shop.copy("member1")), SOON_MS);
  await eventually(
    "the policy says that all is applied",
    async () => {
      const found = await shop.host.find(shop.policy);
      return conditionOf(found as Parameters<typeof conditionOf>[0], "Applied")?.status === "True";
    },
    60_000,
  );
}, 200_000);
