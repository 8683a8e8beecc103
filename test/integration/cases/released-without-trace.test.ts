// Does an object that was let go of look as if we had never been there? (case 16)
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";
import { deleteAndWait, isMarked, type Shop } from "../support/shop.js";

const TRACE = /karmada|kubefed|pepr/;

/** What a person sees of an object's metadata, without what every write moves. */
function faceOf({ metadata, ...rest }: KubeObject): unknown {
  const { labels, annotations, finalizers, ownerReferences, uid } = metadata;
  return { labels, annotations, finalizers, ownerReferences, uid, spec: rest["spec"] };
}

async function podsOf(shop: Shop): Promise<(string | undefined)[]> {
  return (await shop.members.member1.list("Pod", shop.namespace)).map(pod => pod.metadata.uid).sort();
}

describe("a released object", () => {
  it.concurrent("keeps its users' metadata, its uid and its pods, and nothing of ours", async () => {
    const shop = await openShop("c16");
    const labels = "{app: web, team: blue}";
    const annotations = `{note: "keep me", team.example/owner: blue}`;
    const before = await shop.settle({ preserve: true, labels, annotations });
    const pods = await eventually("its pods are there", async () => {
      const found = await podsOf(shop);
      return found.length === 2 && found;
    });

    await shop.host.delete(shop.web);

    await shop.released(before);
    await shop.gone();
    const copy = await shop.copy("member1");
    expect(JSON.stringify(copy?.metadata)).not.toMatch(TRACE);
    expect(copy?.metadata.labels).toMatchObject({ app: "web", team: "blue" });
    expect(copy?.metadata.annotations).toMatchObject({ note: "keep me", "team.example/owner": "blue" });
    expect(await podsOf(shop)).toEqual(pods);
    const owned = await shop.members.member1.list("ReplicaSet", shop.namespace);
    expect(JSON.stringify(owned.map(rs => rs.metadata))).not.toMatch(TRACE);
  });

  it.concurrent("looks as before it was taken over", async () => {
    const shop = await openShop("c16a");
    const { member1 } = shop.members;
    await member1.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${shop.namespace}}}`);
    await member1.apply(shop.templateYaml({ labels: "{app: web, hotfix: yes-please}", annotations: "{by: hand}" }));
    const pre = await eventually("its controller has seen it", async () => {
      const copy = await shop.copy("member1");
      return copy?.metadata.annotations?.["deployment.kubernetes.io/revision"] !== undefined && copy;
    });

    const policySpec = "conflictResolution: Overwrite";
    await shop.settle({ preserve: true, policySpec, clusters: ["member1"] });
    await shop.host.delete(shop.web);
    await shop.gone();

    const after = await shop.copy("member1");
    expect(after && faceOf(after)).toEqual(faceOf(pre));
    expect(after?.metadata.managedFields?.map(f => f.manager)).not.toContain("holdfast");
  });

  it.concurrent("carries no mark when it is of a cluster-scoped kind, claimed by a cluster policy", async () => {
    const shop = await openShop("c16c");
    const role = { kind: "ClusterRole", name: shop.namespace };
    const policy = { kind: "ClusterPropagationPolicy", name: shop.namespace };
    await shop.host.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${role.name}, labels: {team: blue}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: ${policy.name}}
spec:
  preserveResourcesOnDeletion: true
  resourceSelectors: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: ${role.name}}]
  placement: {clusterAffinity: {clusterNames: [member1, member2]}}
`);
    const [, there] = await eventually("it is in both members", async () => {
      const { member1, member2 } = shop.members;
      const [first, second] = await Promise.all([member1, member2].map(site => site.find(role)));
      return isMarked(first) && isMarked(second) && ([first, second] as const);
    });

    await deleteAndWait(shop.host, role);
    await eventually("no mark is left", async () => {
      const copy = await shop.members.member2.find(role);
      return copy?.metadata.uid === there?.metadata.uid && !isMarked(copy);
    });

    const copy = await shop.members.member2.find(role);
    expect(JSON.stringify(copy?.metadata)).not.toMatch(TRACE);
    expect(copy?.metadata.labels).toEqual({ team: "blue" });
    await deleteAndWait(shop.host, policy);
    await Promise.all(Object.values(shop.members).map(site => site.delete(role)));
  });
});
