// Every kind that Holdfast serves.
import { adoptionSnapshotKind } from "./adoption-snapshot.js";
import { cascadeDeletionPolicyKind } from "./cascade-deletion-policy.js";
import { clusterKind } from "./cluster.js";
import { clusterCascadeDeletionPolicyKind } from "./cluster-cascade-deletion-policy.js";
import { clusterOverridePolicyKind } from "./cluster-override-policy.js";
import { clusterPropagationPolicyKind } from "./cluster-propagation-policy.js";
import { clusterResourceBindingKind } from "./cluster-resource-binding.js";
import type { KindDefinition } from "./definition.js";
import { overridePolicyKind } from "./override-policy.js";
import { propagationPolicyKind } from "./propagation-policy.js";
import { resourceBindingKind } from "./resource-binding.js";
import { workKind } from "./work.js";

/** One entry per CustomResourceDefinition. */
export const KINDS: readonly KindDefinition[] = [
  propagationPolicyKind,
  clusterPropagationPolicyKind,
  overridePolicyKind,
  clusterOverridePolicyKind,
  cascadeDeletionPolicyKind,
  clusterCascadeDeletionPolicyKind,
  resourceBindingKind,
  clusterResourceBindingKind,
  workKind,
  clusterKind,
  adoptionSnapshotKind,
];
