// Does letting go end when there is nothing left to let go of? (case 15)
import { describe, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { deleteAndWait, isMarked, type Shop } from "../support/shop.js";

const CRD = (scope: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.${scope}.test}
spec:
  group: ${scope}.test
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`;

describe("a copy that is gone before it is let go of", () => {
  it.concurrent("does not hold up the rest when somebody deletes it in the same second", async () => {
    const shop = await openShop("c15");
    const before = await shop.settle({ preserve: true });

    await Promise.all([shop.host.delete(shop.web), shop.members.member1.delete(shop.web)]);

    await shop.gone(30_000);
    await shop.released(before, ["member2"]);
  });

  it.concurrent("does not hold up the rest when its namespace is gone from the member", async () => {
    const shop = await openShop("c15n");
    const before = await shop.settle({ preserve: true });

    await Promise.all([
      shop.members.member1.delete({ kind: "Namespace", name: shop.namespace }),
      shop.host.delete(shop.web),
    ]);

    await shop.gone(30_000);
    await shop.released(before, ["member2"]);
  });

  it.concurrent("does not hold up the rest when the member no longer serves the kind", async () => {
    const shop = await openShop("c15c");
    const group = `${shop.namespace}.test`;
    const gadget = { kind: "Gadget", namespace: shop.namespace, name: "web" };
    for (const site of [shop.host, ...Object.values(shop.members)]) {
      site.learn({ group, version: "v1", kind: "Gadget", plural: "gadgets", namespaced: true });
      await site.apply(CRD(shop.namespace));
    }
    await applyGadget(shop, group);
    await eventually(
      "both members have it",
      async () =>
        isMarked(await shop.members.member1.find(gadget)) && isMarked(await shop.members.member2.find(gadget)),
      25_000,
    );
    const uid = (await shop.members.member2.find(gadget))?.metadata.uid;

    const definition = { kind: "CustomResourceDefinition", name: `gadgets.${group}` };
    await deleteAndWait(shop.members.member1, definition);
    await shop.host.delete(gadget);

    await eventually("the Works are gone", async () => (await shop.works()).length === 0, 30_000);
    await eventually("the template is gone", async () => !(await shop.host.find(gadget)));
    await eventually("member2 has let go of the same object", async () => {
      const live = await shop.members.member2.find(gadget);
      return live?.metadata.uid === uid && !isMarked(live);
    });
    await Promise.all([shop.host, shop.members.member2].map(site => site.delete(definition)));
  });
});

function applyGadget(shop: Shop, group: string): Promise<unknown> {
  return eventually("the host takes it", () =>
    shop.host.apply(`
apiVersion: ${group}/v1
kind: Gadget
metadata: {name: web, namespace: ${shop.namespace}}
spec: {size: 1}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: gadgets, namespace: ${shop.namespace}}
spec:
  preserveResourcesOnDeletion: true
  resourceSelectors: [{apiVersion: ${group}/v1, kind: Gadget}]
  placement: {clusterAffinity: {clusterNames: [member1, member2]}}
`),
  );
}
