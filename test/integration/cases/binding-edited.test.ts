// Does a cluster that somebody takes off a binding's list lose its copy? Only a policy or a leaving cluster moves anything.
import { expect, it } from "vitest";
import type { AnyBinding } from "../../../lib/kube/host.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { aMoment } from "../support/shop.js";

const clustersOf = (binding: unknown): string[] =>
  ((binding as AnyBinding | undefined)?.spec.clusters ?? []).map(cluster => cluster.name).sort();

it.concurrent.each([undefined, true])("puts the list right again, members untouched (preserve: %s)", async preserve => {
  const shop = await openShop("edited");
  const before = await shop.settle({ preserve });

  await shop.host.patch(shop.binding, { spec: { clusters: [{ name: "member1", replicas: 2 }] } });

  await eventually("both clusters are listed again", async () => clustersOf(await shop.findBinding()).length === 2);
  await aMoment(1_500);
  expect(await shop.uids()).toEqual(before);
});
