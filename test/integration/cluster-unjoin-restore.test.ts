// Does a cluster that leaves get the values back that its objects had before they were taken over, where that was decided?
import { describe, expect, it } from "vitest";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import { CASCADE_DELETION_ANNOTATION } from "../../lib/domain/marks.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { eventually } from "./support/eventually.js";
import {
  joinThroughProxy,
  QUICK,
  readyOf,
  startFederation,
  untilCluster,
  WHOLE_OPERATOR,
} from "./support/federation.js";
import { isMarked, LeavingShop } from "./support/leaving-shop.js";

const BEFORE = { a: "before", b: "only here" };

describe("a cluster that is unjoined", () => {
  it("gets earlier values back where that was decided", async () => {
    const deps = await startFederation(QUICK, WHOLE_OPERATOR);
    const { name } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
    const shop = await LeavingShop.open(deps, name);
    const there = new ResourceClient(shop.member, CONFIG_MAPS);
    const identity = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: shop.shop, name: "was" } };
    const made = await there.apply({ ...identity, data: BEFORE }, { manager: "kubectl" });
    await deps.host.policies.create(overwriting(shop.shop, name));
    const annotations = { [CASCADE_DELETION_ANNOTATION]: "restore" };
    const template = { ...identity, metadata: { ...identity.metadata, annotations }, data: { a: "after" } };
    await new ResourceClient(shop.host, CONFIG_MAPS).create(template);
    await eventually("the copy has the template's values alone", async () => {
      return JSON.stringify((await there.find(identity.metadata))?.["data"]) === JSON.stringify(template.data);
    });

    const { told, problem } = await shop.unjoin();

    const after = await there.find(identity.metadata);
    expect({ uid: after?.metadata.uid, data: after?.["data"] }).toEqual({
      uid: made.object.metadata.uid,
      data: BEFORE,
    });
    expect(isMarked(after)).toBe(false);
    expect(problem).toBeUndefined();
    expect(LeavingShop.named(told, "kept")).toContain(`ConfigMap ${shop.shop}/was`);
  });
});

function overwriting(namespace: string, cluster: string): PropagationPolicy {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { namespace, name: "was" },
    spec: {
      resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: "was" }],
      placement: { clusterAffinity: { clusterNames: [cluster] } },
      conflictResolution: "Overwrite",
    },
  } as PropagationPolicy;
}
