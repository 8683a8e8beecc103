// Whose word holds about the copies: the template's annotation, a policy about deletion, or the propagation policy?
import { describe, expect, it } from "vitest";
import type { Work } from "../../../crds/work.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { deleteAndWait, type Shop } from "../support/shop.js";

const ANNOTATION = "resourcetemplate.karmada.io/cascadedeletion";
const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const ALL = { apiVersion: "apps/v1", kind: "Deployment" };

const annotate = (shop: Shop, value: string | null) =>
  shop.host.patch(shop.web, { metadata: { annotations: { [ANNOTATION]: value } } });

interface Rule {
  readonly cascadeDeletion?: string;
  readonly resourceSelectors?: readonly object[];
  readonly targetCluster?: { readonly clusterNames: readonly string[] };
}

const rule = (shop: Shop, name: string, spec: Rule) =>
  shop.host.applyObject({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name, namespace: shop.namespace },
    spec: { resourceSelectors: [WEB], ...spec },
  });

const ruleOf = (shop: Shop, name: string) => ({ kind: "CascadeDeletionPolicy", namespace: shop.namespace, name });

/** Waits until binding and Works say so; `words` by member. */
async function told(shop: Shop, status: "True" | "False", reason: string, words: Record<string, string>) {
  await eventually(
    `DeletionProtected=${status} (${reason}), ${JSON.stringify(words)}`,
    async () => {
      const [binding, works] = await Promise.all([shop.findBinding(), shop.works()]);
      const said = binding && conditionOf(binding, "DeletionProtected");
      const carried = Object.fromEntries(works.map(w => [w.metadata.namespace?.slice(11), wordOf(w)]));
      if (said?.status === status && said.reason === reason && same(carried, words)) return true;
      throw new Error(`${said?.status} ${said?.reason} ${said?.message}; ${JSON.stringify(carried)}`);
    },
    20_000,
  );
}

const wordOf = ({ spec }: Work) => `${spec.cascadeDeletion} ${spec.preserveResourcesOnDeletion}`;
const same = (a: object, b: object) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
const [KEEP, DROP, PAST] = ["orphan true", "background false", "adopted true"];
const both = (word: string | undefined) => ({ member1: word ?? "", member2: word ?? "" });

describe("the annotation on the template", () => {
  it.concurrent("goes before the policy, both ways, and is forgotten when it is taken away", async () => {
    const shop = await openShop("who-note");
    const before = await shop.settle();
    await annotate(shop, "orphan");
    await told(shop, "True", "TemplateAnnotation", both(KEEP));
    await shop.preserve(true);
    await annotate(shop, "background");
    await told(shop, "False", "TemplateAnnotation", both(DROP));
    await annotate(shop, null);
    await told(shop, "True", "PolicyField", both(KEEP));
    expect(await shop.uids()).toEqual(before);

    await annotate(shop, "background");
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.deletedIn("member1", "member2");
  });

  it.concurrent("keeps when it is set at once before the deletion, and says nothing any more after it", async () => {
    const shop = await openShop("who-note-now");
    const before = await shop.settle();
    await annotate(shop, "orphan");
    await shop.host.delete(shop.web);
    await annotate(shop, "background").catch(() => undefined);
    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("does not reach the members", async () => {
    const shop = await openShop("who-note-mark");
    await shop.settle({ annotations: `{${ANNOTATION}: orphan, note: hello}` });
    const annotations = (await shop.copy("member1"))?.metadata.annotations ?? {};
    expect(annotations["note"]).toBe("hello");
    expect(annotations).not.toHaveProperty([ANNOTATION]);
  });
});

describe("a policy about deletion", () => {
  it.concurrent("goes before the propagation policy; what it said last stays when it is deleted", async () => {
    const shop = await openShop("who-rule");
    const before = await shop.settle();
    await rule(shop, "keep", { cascadeDeletion: "orphan" });
    await told(shop, "True", "CascadeDeletionPolicy", both(KEEP));

    await deleteAndWait(shop.host, ruleOf(shop, "keep"));
    await told(shop, "True", "CascadeDeletionPolicy", both(KEEP));

    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("keeps when it is made at once before the deletion, and deleted at once after it", async () => {
    const shop = await openShop("who-rule-now");
    const before = await shop.settle();
    await rule(shop, "keep", { cascadeDeletion: "orphan", resourceSelectors: [ALL] });
    await shop.host.delete(shop.web);
    await shop.host.delete(ruleOf(shop, "keep"));
    await shop.gone();
    await shop.released(before);
    await eventually("the rule is gone", async () => !(await shop.host.find(ruleOf(shop, "keep"))));
  });

  it.concurrent("decides by cluster, where it names some", async () => {
    const shop = await openShop("who-rule-cluster");
    const before = await shop.settle();
    await rule(shop, "keep", { cascadeDeletion: "orphan" });
    await rule(shop, "drop-two", { targetCluster: { clusterNames: ["member2"] } });
    await told(shop, "False", "CascadeDeletionPolicy", { member1: KEEP ?? "", member2: DROP ?? "" });
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.deletedIn("member2");
    await shop.released(before, ["member1"]);
  });

  it.concurrent("keeps where two of one rank disagree; the more precise one wins over the broader", async () => {
    const shop = await openShop("who-rule-two");
    await shop.settle();
    await rule(shop, "broad", { cascadeDeletion: "orphan", resourceSelectors: [ALL] });
    await rule(shop, "drop", { cascadeDeletion: "background" });
    await told(shop, "False", "CascadeDeletionPolicy", both(DROP));
    await rule(shop, "keep", { cascadeDeletion: "orphan" });
    await told(shop, "True", "CascadeDeletionPolicy", both(KEEP));
  });

  it.concurrent("keeps only what was there before, when it says so", async () => {
    const shop = await openShop("who-rule-past");
    const [copy] = await shop.members.member1
      .apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${shop.namespace}}}`)
      .then(() => shop.members.member1.apply(shop.templateYaml()));
    await shop.settle({ policySpec: "conflictResolution: Overwrite" });
    await rule(shop, "past", { cascadeDeletion: "adopted" });
    await told(shop, "False", "CascadeDeletionPolicy", both(PAST));
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.deletedIn("member2");
    await shop.released({ member1: copy?.metadata.uid ?? "", member2: "" }, ["member1"]);
  });

  it.concurrent("counts for a cluster that the template leaves, and after its policy has gone", async () => {
    const shop = await openShop("who-rule-place");
    const before = await shop.settle();
    await rule(shop, "keep-one", { cascadeDeletion: "orphan", targetCluster: { clusterNames: ["member1"] } });
    await told(shop, "False", "CascadeDeletionPolicy", { member1: KEEP ?? "", member2: DROP ?? "" });
    await deleteAndWait(shop.host, ruleOf(shop, "keep-one"));
    await shop.host.patch(shop.policy, { spec: { placement: { clusterAffinity: { clusterNames: ["member2"] } } } });
    await shop.released(before, ["member1"]);
    await deleteAndWait(shop.host, shop.policy);
    await rule(shop, "keep-two", { cascadeDeletion: "orphan", targetCluster: { clusterNames: ["member2"] } });
    await told(shop, "True", "CascadeDeletionPolicy", { member2: KEEP ?? "" });
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before, ["member2"]);
  });
});
