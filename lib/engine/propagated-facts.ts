// What admission knows about templates and those who have a say about their copies, from small reflectors of its own.
import type { CascadeDeletionPolicy } from "../../crds/cascade-deletion-policy.js";
import type { Cluster } from "../../crds/cluster.js";
import type { ClusterCascadeDeletionPolicy } from "../../crds/cluster-cascade-deletion-policy.js";
import type { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import type { ClusterResourceBinding } from "../../crds/cluster-resource-binding.js";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { ResourceBinding } from "../../crds/resource-binding.js";
import { describeRule } from "../domain/cascade.js";
import { claimBy } from "../domain/claims.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../domain/marks.js";
import type { BindingFacts, Propagated } from "../domain/propagated.js";
import type { KubeClient } from "../kube/client.js";
import { Collection } from "../kube/collection.js";
import * as kinds from "../kube/kinds.js";
import type { ReflectorOptions } from "../kube/reflector.js";
import { bindingFactsOnly, policyWordOnly } from "../kube/slim.js";
import type { Runnable } from "./runnable.js";

const BY_TEMPLATE = "template";
const BY_NAMESPACE = "namespace";
const BY_CLAIM = "claim";
const BY_RULE = "rule";

/** The facts, `undefined` until every kind has been listed once: half of them would be worse than none. */
export interface PropagatedFacts extends Runnable {
  known(): Propagated | undefined;
}

/** Watches bindings, propagation policies and policies about deletion; `clusters` is watched by the caller. */
export function propagatedFacts(
  client: KubeClient,
  clusters: Collection<Cluster>,
  reflector: ReflectorOptions,
): PropagatedFacts {
  const ofBindings = { reflector, transform: bindingFactsOnly, indexes: BINDING_INDEXES };
  const bindings = [
    new Collection<ResourceBinding>(client, kinds.RESOURCE_BINDINGS, ofBindings),
    new Collection<ClusterResourceBinding>(client, kinds.CLUSTER_RESOURCE_BINDINGS, ofBindings),
  ];
  const ofPolicies = { reflector, transform: policyWordOnly };
  const policies = new Collection<PropagationPolicy>(client, kinds.PROPAGATION_POLICIES, ofPolicies);
  const widePolicies = new Collection<ClusterPropagationPolicy>(client, kinds.CLUSTER_PROPAGATION_POLICIES, ofPolicies);
  const rules = new Collection<CascadeDeletionPolicy>(client, kinds.CASCADE_DELETION_POLICIES, { reflector });
  const wideRules = new Collection<ClusterCascadeDeletionPolicy>(client, kinds.CLUSTER_CASCADE_DELETION_POLICIES, {
    reflector,
  });
  const own = [...bindings, policies, widePolicies, rules, wideRules];

  function bucket(index: string, value: string): BindingFacts[] {
    return bindings.flatMap(collection => collection.store.byIndex(index, value) as BindingFacts[]);
  }

  const propagated: Propagated = {
    bindingOf: uid => bucket(BY_TEMPLATE, uid)[0],
    bindingsIn: namespace => bucket(BY_NAMESPACE, namespace),
    bindingsOf: policyId => bucket(BY_CLAIM, policyId),
    bindingsDecidedBy: rule => bucket(BY_RULE, rule),
    wordOf({ kind, namespace, name, id }) {
      const policy = kind === "PropagationPolicy" ? policies.find({ namespace, name }) : widePolicies.find({ name });
      if (!policy || claimBy(kind, policy)?.id !== id) return undefined;
      return {
        preserve: policy.spec.preserveResourcesOnDeletion,
        decidedBy: describeRule({ kind, metadata: policy.metadata }),
      };
    },
    rules: () => [...rules.store.values(), ...wideRules.store.values()],
    clusterOf: name => clusters.get(name),
  };

  return {
    known: () => ([clusters, ...own].every(({ store }) => store.synced) ? propagated : undefined),
    start() {
      for (const collection of own) collection.start();
    },
    async stop() {
      await Promise.all(own.map(collection => collection.stop()));
    },
  };
}

const BINDING_INDEXES: Readonly<Record<string, (binding: BindingFacts) => readonly string[]>> = {
  [BY_TEMPLATE]: ({ spec }) => (spec.resource.uid ? [spec.resource.uid] : []),
  [BY_NAMESPACE]: ({ metadata }) => (metadata.namespace ? [metadata.namespace] : []),
  [BY_CLAIM]: ({ metadata }) => [PP_ID_LABEL, CPP_ID_LABEL].flatMap(label => metadata.labels?.[label] ?? []),
  [BY_RULE]: ({ spec }) => [
    ...new Set((spec.clusterDeletion ?? []).filter(e => e.reason === "CascadeDeletionPolicy").map(e => e.decidedBy)),
  ],
};
