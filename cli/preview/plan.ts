// Where would a template go, and as what, if it were applied with these policies now?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { planTargets } from "../../capabilities/propagation/plan.js";
import { claimOf } from "../../lib/domain/claims.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import { executionNamespace, namedObject, workName } from "../../lib/domain/names.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import { applyOverrides } from "../../lib/domain/overrides.js";
import type { Rejection } from "../../lib/domain/placement.js";
import { choosePolicy, type Candidate, type ConsideredPolicy } from "../../lib/domain/policy-choice.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import { objectKey } from "../view/adoption.js";
import { type PlacedWork } from "../view/chain.js";
import type { Policies } from "./policies.js";

/** What is known of one template. */
export interface TemplateFacts {
  /** As it is on the host, or as a file says that it shall be. */
  readonly template: KubeObject;
  /** As it is on the host. */
  readonly live: KubeObject | undefined;
  readonly binding: AnyBinding | undefined;
  /** The Works that its binding has made. */
  readonly works: readonly PlacedWork[];
}

/** Where a template would go. */
export interface TemplatePlan {
  readonly policy: Candidate<AnyPolicy> | undefined;
  /** Every policy that was looked at, and why it does not hold the template. */
  readonly considered: readonly ConsideredPolicy[];
  /** Names of clusters, sorted. */
  readonly targets: readonly string[];
  /** Clusters that it does not go to, with the reason. */
  readonly rejected: readonly Rejection[];
  /** Clusters where it is now and would not be any more. */
  readonly leaving: readonly string[];
  readonly conflict: "abort" | "overwrite";
}

/**
 * Decides as propagation does. Without any policy that selects it, it goes to the clusters of `wanted`, and takes over what
 * is there, as a promotion would.
 */
export function planTemplate(
  facts: TemplateFacts,
  { propagation }: Policies,
  clusters: readonly Cluster[],
  wanted: readonly string[] = [],
): TemplatePlan {
  const { template, live, works } = facts;
  const { winner, considered } = choosePolicy(template, propagation, live && claimOf(live));
  const { targets, rejected } = winner ? placed(facts, winner.policy, clusters) : { targets: wanted, rejected: [] };
  return {
    policy: winner,
    considered,
    targets: [...targets].sort(),
    rejected,
    leaving: works.map(({ cluster }) => cluster).filter(cluster => !targets.includes(cluster)),
    conflict: conflictFor(template, winner ? winner.policy.spec.conflictResolution : "Overwrite"),
  };
}

function placed({ template, binding }: TemplateFacts, { spec }: AnyPolicy, clusters: readonly Cluster[]) {
  const current = binding?.spec.clusters ?? [];
  const { targets, plan } = planTargets({ template, placement: spec.placement, clusters, current });
  return { targets: targets.map(({ name }) => name), rejected: plan.rejected };
}

/** The template's own word wins over the policy's (spec/karmada 1.7). */
function conflictFor(template: KubeObject, ofPolicy: string | undefined): TemplatePlan["conflict"] {
  const own = template.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION];
  if (own === "abort" || own === "overwrite") return own;
  return ofPolicy === "Overwrite" ? "overwrite" : "abort";
}

/** The template as one cluster would get it. @throws OverrideError for a rule that does not fit */
export function renderFor(template: KubeObject, cluster: Cluster, { overrides }: Policies): KubeObject {
  return applyOverrides({ manifest: ownedManifest(template), cluster, policies: overrides }).manifest;
}

/** The Work that would carry it: the one that is there, or one of its name; `taken`: what has that name now. */
export function workToBe(request: {
  readonly template: KubeObject;
  readonly cluster: string;
  readonly existing: Work | undefined;
  readonly taken: Work | undefined;
  readonly conflict: TemplatePlan["conflict"];
}): Work {
  const { template, cluster, existing, taken, conflict } = request;
  const base = existing ?? (taken && carries(taken, template) ? taken : undefined);
  const name = base?.metadata.name ?? workName(namedObject(template), { suffix: taken !== undefined });
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name,
      namespace: executionNamespace(cluster),
      uid: base?.metadata.uid,
      annotations: { ...base?.metadata.annotations, [CONFLICT_RESOLUTION_ANNOTATION]: conflict },
    },
    spec: { workload: { manifests: [] } },
  };
}

function carries(work: Work, template: KubeObject): boolean {
  return (work.spec.workload?.manifests ?? []).some(manifest => objectKey(manifest) === objectKey(template));
}
