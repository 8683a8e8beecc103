// Decides which change wakes which template or policy.
import type { KubeObject } from "../../crds/object.js";
import type { Cluster } from "../../crds/cluster.js";
import { specInEffect } from "../../lib/domain/cluster-taints.js";
import { isAskedAgain } from "../../lib/domain/asked-again.js";
import { isUnheardEdit } from "../../lib/domain/heard.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { Controller } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import type { PolicyKind } from "../../lib/domain/policy-choice.js";
import { type AnyBinding, type AnyCascadePolicy, type AnyPolicy } from "../../lib/kube/host.js";
import { isStatusOnly, sameMetadata } from "../../lib/kube/changes.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { templateKey, templateRefOf } from "../../lib/kube/templates.js";
import { ClaimsUnderWay } from "./claims-under-way.js";
import { templatesAbout } from "./deletion.js";
import { kindsFollower } from "./kinds.js";
import { claimIdsOf } from "./plan.js";
import { policiesWithId, policyKey, policyReconciler } from "./policy.js";
import { policyReports } from "./policy-reports.js";
import { propagationReconciler } from "./reconcile.js";
import { firstUnseen } from "./unseen.js";

/** Hooks for Pepr's watch actions: each only puts a key on a queue that coalesces. */
export interface PropagationControllers extends Runnable {
  wakePolicy(kind: PolicyKind, metadata: KubeObject["metadata"]): void;
  /** As `firstUnseen`. */
  firstUnseen(namespace: string | undefined): string | undefined;
}

/** The controllers of this capability, wired to the stores. */
export function propagationControllers(deps: Dependencies): PropagationControllers {
  const { host, log, metrics, mayWork } = deps;
  const claims = new ClaimsUnderWay();
  const templates = new Controller({
    name: "propagation",
    reconcile: propagationReconciler(deps, claims),
    workers: 16,
    log,
    metrics,
    mayWork,
  });
  const reports = policyReports(deps);
  const forced = new Set<string>();
  let isStarted = false;
  const policies = new Controller({
    name: "policy",
    reconcile: policyReconciler(deps, {
      template: key => templates.queue.add(key),
      report: key => reports.soon(key),
      isForced: key => forced.delete(key),
      isClaiming: id => claims.has(id),
    }),
    workers: 4,
    log,
    metrics,
    mayWork,
  });

  const wakePolicy = (kind: PolicyKind, metadata: KubeObject["metadata"]): void =>
    policies.queue.add(policyKey(kind, metadata));

  function onPolicy(kind: PolicyKind, { before, after }: StoreChange<AnyPolicy>): void {
    const policy = after ?? before;
    if (!policy) return;
    // Our own status write is no news.
    if (before && after && sameMetadata(before, after)) return;
    if (isAskedAgain({ before, after })) forced.add(policyKey(kind, policy.metadata));
    wakePolicy(kind, policy.metadata);
    if (after) return;
    for (const id of claimIdsOf(policy)) {
      for (const template of host.templates.claimedBy(id)) templates.queue.add(templateKey(templateRefOf(template)));
    }
  }

  function onTemplate(change: StoreChange, key: string): void {
    if (isStatusOnly(change)) return;
    const { before, after } = change;
    templates.queue.add(key);
    const ids = new Set([...claimIdsOf(before), ...claimIdsOf(after)]);
    if (before && after && sameJson(claimIdsOf(before), claimIdsOf(after))) return;
    for (const id of ids) wakePolicyById(id);
  }

  function wakePolicyById(id: string): void {
    for (const { kind, policy } of policiesWithId(host, id)) touch(kind, policy);
  }

  function touch(kind: PolicyKind, policy: AnyPolicy): void {
    if (policy.metadata.deletionTimestamp) wakePolicy(kind, policy.metadata);
    else reports.soon(policyKey(kind, policy.metadata));
  }

  function onBinding({ before, after }: StoreChange<AnyBinding>): void {
    const binding = after ?? before;
    if (!binding) return;
    if (before && after && sameMetadata(before, after)) return;
    templates.queue.add(templateKey(binding.spec.resource));
    host.templates.ensure(binding.spec.resource.apiVersion, binding.spec.resource.kind);
    // A policy that is being deleted waits for the last binding that follows it, gone or set free.
    const still = new Set(claimIdsOf(after));
    for (const id of claimIdsOf(before)) if (!still.has(id)) wakePolicyById(id);
  }

  /** Only what scheduling looks at: a heartbeat must not wake every binding. */
  function onCluster({ before, after }: StoreChange<Cluster>): void {
    if (before && after && sameJson(placementFacts(before), placementFacts(after))) return;
    wakeAllBound();
  }

  function wakeAllBound(): void {
    for (const collection of [host.bindings, host.clusterBindings]) {
      for (const binding of collection.store.values()) templates.queue.add(templateKey(binding.spec.resource));
    }
  }

  function onCascade(change: StoreChange<AnyCascadePolicy>): void {
    // Nobody knows what it has selected meanwhile.
    if (!change.watched && change.after && isUnheardEdit(change.after)) wakeAllBound();
    for (const template of templatesAbout(host, change)) templates.queue.add(templateKey(templateRefOf(template)));
  }

  function wakeAnew(kind: PolicyKind, metadata: KubeObject["metadata"]): void {
    forced.add(policyKey(kind, metadata));
    wakePolicy(kind, metadata);
  }

  function wakeAllPolicies(): void {
    for (const policy of host.policies.store.values()) wakeAnew("PropagationPolicy", policy.metadata);
    for (const policy of host.clusterPolicies.store.values()) wakeAnew("ClusterPropagationPolicy", policy.metadata);
  }

  function onOverride({ before, after }: StoreChange): void {
    // Only its existence matters here: templates may wait for it.
    if (before && after) return;
    const name = (after ?? before)?.metadata.name;
    for (const [kind, collection] of [
      ["PropagationPolicy", host.policies],
      ["ClusterPropagationPolicy", host.clusterPolicies],
    ] as const) {
      for (const policy of collection.store.values()) {
        if (name && policy.spec.dependentOverrides?.includes(name)) wakeAnew(kind, policy.metadata);
      }
    }
  }

  const kinds = kindsFollower(deps, wakeAllPolicies);

  return {
    wakePolicy,
    firstUnseen(namespace) {
      if (!isStarted) return "everything";
      return firstUnseen(host, { templates: templates.queue, policies: policies.queue }, namespace);
    },
    start() {
      isStarted = true;
      for (const part of [templates, policies, reports]) void part.start();
      host.templates.subscribe((ref, change) => onTemplate(change, templateKey(ref)));
      host.policies.subscribe(change => onPolicy("PropagationPolicy", change));
      host.clusterPolicies.subscribe(change => onPolicy("ClusterPropagationPolicy", change));
      host.bindings.subscribe(onBinding);
      host.clusterBindings.subscribe(onBinding);
      host.clusters.subscribe(onCluster);
      host.overrides.subscribe(onOverride);
      host.clusterOverrides.subscribe(onOverride);
      host.cascadePolicies.subscribe(onCascade);
      host.clusterCascadePolicies.subscribe(onCascade);
      host.crds.subscribe(change => kinds.onCrd(change));
      wakeAllPolicies();
      for (const collection of [host.bindings, host.clusterBindings]) {
        for (const binding of collection.store.values()) {
          onBinding({ key: "", before: undefined, after: binding });
        }
      }
    },
    async stop() {
      kinds.stop();
      await Promise.all([templates, policies, reports].map(c => c.stop()));
    },
  };
}

function placementFacts(cluster: Cluster) {
  const { metadata, status } = cluster;
  return [metadata.labels, metadata.deletionTimestamp, metadata.uid, specInEffect(cluster), status?.apiEnablements];
}
