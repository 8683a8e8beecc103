// Reports into a Work how its objects do in the member.
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { Condition, KubeObject } from "../../crds/object.js";
import { gvkOf } from "../../crds/object.js";
import type { ManifestStatus, Work, WorkStatus } from "../../crds/work.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { TEMPLATE_GENERATION_ANNOTATION } from "../../lib/domain/marks.js";
import { healthOf, reflectStatus } from "../../lib/domain/status/index.js";
import { conditionOf, withConditions, type ConditionStatement } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Member } from "../../lib/kube/member.js";
import { adoptedCondition, originOf, recordedOrigin, type Origin, type OriginEvidence } from "./origin.js";
import type { Outcome, Outcomes } from "./outcomes.js";
import { isOurs } from "./plan.js";
import type { Snapshots } from "./snapshots.js";

/** Everything a Work's status is made from. */
export interface WorkStatusInput {
  readonly work: Work;
  readonly outcome: Outcome | undefined;
  /** The member's objects, in the order of the manifests; `undefined` where there is none or it is not known. */
  readonly objects: readonly (KubeObject | undefined)[];
  /** Where they come from, as far as this process has seen itself; in the order of the manifests. */
  readonly origins?: readonly (Origin | undefined)[];
  /** What is kept of them as they were before they were taken over. */
  readonly snapshots?: readonly AdoptionSnapshot[];
}

/** The whole status of a Work; equal to the present one when there is nothing new. */
export function planWorkStatus(input: WorkStatusInput): WorkStatus {
  const { work, outcome, objects, origins = [], snapshots = [] } = input;
  const manifests = work.spec.workload?.manifests ?? [];
  const templateGeneration = appliedGeneration(work, outcome);
  const statuses = manifests.map((manifest, ordinal): ManifestStatus => {
    const live = objects[ordinal];
    const { group, version, kind } = gvkOf(manifest);
    const { namespace, name } = manifest.metadata;
    const identifier = {
      ordinal,
      ...(group ? { group } : {}),
      version,
      kind,
      resource: "",
      ...(namespace ? { namespace } : {}),
      name,
    };
    const recorded = recordedOrigin(work, manifest);
    const origin = originNow(live, { witnessed: origins[ordinal], recorded, snapshots });
    if (!live) return { ...(previousOf(work, ordinal) ?? { identifier, health: "Unknown" }), ...origin };
    const status = reflectStatus(live, { templateGeneration });
    return { identifier, ...(status === undefined ? {} : { status }), health: healthOf(live), ...origin };
  });
  return {
    ...work.status,
    conditions: withConditions(work.status?.conditions, statementsFor(input, statuses)),
    manifestStatuses: statuses,
  };
}

/** What is known of an object that cannot be seen just now stays on record. */
function originNow(live: KubeObject | undefined, evidence: OriginEvidence): Origin | undefined {
  return live ? originOf(live, evidence) : (evidence.witnessed ?? evidence.recorded);
}

function statementsFor(
  { work, outcome, snapshots = [] }: WorkStatusInput,
  statuses: readonly ManifestStatus[],
): ConditionStatement[] {
  const observedGeneration = work.metadata.generation;
  const statements: ConditionStatement[] = [];
  if (outcome) {
    const { reason, message, generation } = outcome;
    statements.push({
      type: "Applied",
      status: outcome.applied ? "True" : "False",
      reason,
      message,
      observedGeneration: generation,
    });
  }
  if (outcome?.applied) statements.push(available(statuses, observedGeneration));
  const others = [
    adoptedCondition(statuses, snapshots, observedGeneration),
    dispatchingCondition(work, observedGeneration),
  ];
  return [...statements, ...others.filter(statement => statement !== undefined)];
}

function available(statuses: readonly ManifestStatus[], observedGeneration: number | undefined): ConditionStatement {
  const type = "Available";
  const bad = statuses.filter(s => s.health !== "Healthy");
  if (bad.length === 0)
    return { type, status: "True", reason: "Healthy", message: "all objects are healthy", observedGeneration };
  const message = bad.map(s => `${s.identifier.kind} ${s.identifier.name} is ${s.health}`).join(", ");
  const status: Condition["status"] = bad.some(s => s.health === "Unhealthy") ? "False" : "Unknown";
  return { type, status, reason: status === "False" ? "Unhealthy" : "Unknown", message, observedGeneration };
}

/** Said only where it matters: while suspended, and once after (spec/karmada 1.6). */
function dispatchingCondition(work: Work, observedGeneration: number | undefined): ConditionStatement | undefined {
  const type = "Dispatching";
  if (work.spec.suspendDispatching) {
    const message = "Work dispatching is in a suspended state.";
    return { type, status: "False", reason: "SuspendDispatching", message, observedGeneration };
  }
  if (!conditionOf(work, type)) return undefined;
  const message = "Work is being dispatched to member clusters.";
  return { type, status: "True", reason: "Dispatching", message, observedGeneration };
}

/** The template generation that the member object was made from, as long as that is known. */
function appliedGeneration(work: Work, outcome: Outcome | undefined): number | undefined {
  if (outcome) return outcome.templateGeneration;
  const condition = conditionOf(work, "Applied");
  const current = condition?.status === "True" && condition.observedGeneration === work.metadata.generation;
  return current ? Number(work.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION]) || undefined : undefined;
}

function previousOf(work: Work, ordinal: number): ManifestStatus | undefined {
  return work.status?.manifestStatuses?.find(s => s.identifier.ordinal === ordinal);
}

/** Kinds whose controller says which generation it has seen; until then their status is about the one before. */
const OBSERVED_KINDS = new Set(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"]);
/** How long a report waits for a member's controller to look at what was applied, milliseconds. */
const OBSERVE_MS = 3_000;

/** True while the member's own controller has not looked at the object as it is now. */
export function isUnobserved(live: KubeObject | undefined): boolean {
  if (!live || gvkOf(live).group !== "apps" || !OBSERVED_KINDS.has(live.kind)) return false;
  const { observedGeneration = 0 } = (live["status"] ?? {}) as { readonly observedGeneration?: number };
  return observedGeneration < (live.metadata.generation ?? 0);
}

/** What one cluster's reports are made from, beside the stores. */
export interface StatusSources {
  readonly cluster: string;
  readonly outcomes: Outcomes;
  readonly snapshots: Pick<Snapshots, "of">;
}

/** Writes a Work's status when it says something new. */
export function workStatusReconciler({ host, members }: Dependencies, sources: StatusSources): Reconciler {
  const { cluster, outcomes, snapshots } = sources;
  return async function reportWork(key): Promise<Result> {
    const work = host.works.get(key);
    if (!work) return {};
    const outcome = outcomes.get(key);
    // A Work on its way out only says what it waits for.
    if (work.metadata.deletionTimestamp && (!outcome || outcome.applied)) return {};
    const { objects, origins } = knownOf(key, work);
    const kept = snapshots.of(work);
    const waitMs = outcome?.applied ? outcome.at + OBSERVE_MS - performance.now() : 0;
    if (waitMs > 0 && objects.some(isUnobserved)) return { requeueAfterMs: waitMs };
    const status = planWorkStatus({ work, outcome, objects, origins, snapshots: kept });
    if (!sameJson(status, work.status)) await host.works.patchStatus(work.metadata, status);
    return {};
  };

  function knownOf(key: string, work: Work): Required<Pick<WorkStatusInput, "objects" | "origins">> {
    const manifests = work.spec.workload?.manifests ?? [];
    const member = members.get(cluster);
    return {
      objects: manifests.map(manifest => member && objectOf(member, work, manifest)),
      origins: manifests.map(manifest => outcomes.origin(key, manifest)),
    };
  }
}

function objectOf(member: Member, work: Work, manifest: KubeObject): KubeObject | undefined {
  const resource = member.discovery.find(manifest.apiVersion, manifest.kind);
  if (!resource) return undefined;
  const live = member.objects(resource).find(manifest.metadata);
  return live && isOurs(live, work) ? live : undefined;
}
