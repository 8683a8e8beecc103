// Looks after one policy about deletion: its finalizer, and what it tells about itself.
import type { CascadeDeletionStatus } from "../../crds/cascade-deletion-spec.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { CASCADE_FINALIZER } from "../../lib/domain/marks.js";
import { withConditions } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { AnyCascadePolicy } from "../../lib/kube/host.js";
import { planReport, whyStay } from "./plan.js";
import { viewOf, type Sources } from "./view.js";

/** A policy's key for queues. */
export function cascadeKey({ kind, metadata }: Pick<AnyCascadePolicy, "kind" | "metadata">): string {
  return [kind, metadata.namespace ?? "", metadata.name].join("|");
}

/** How soon a policy that must stay is looked at again if nothing wakes it, milliseconds. */
const STAYING_MS = 2_000;
/** How soon it is asked again whether all that a policy has said is on record, milliseconds. */
const UNHEARD_MS = 2_000;
/** How soon it is seen that the host has come to serve a kind, milliseconds; a new CRD wakes by itself. */
const UNKNOWN_KIND_MS = 30_000;

function policyAt({ host }: Pick<Dependencies, "host">, key: string) {
  const [, namespace = "", name = ""] = key.split("|");
  const collection = host.cascadePoliciesLike({ metadata: { namespace } });
  return { policy: collection.find({ namespace, name }), collection };
}

/** Keeps a policy's finalizer until nothing depends on its word any more (design 3). `report` may be called often. */
export function cascadeReconciler(
  deps: Sources,
  report: (key: string) => void,
  now: () => number = Date.now,
): Reconciler {
  const { host } = deps;
  return async function reconcileCascadePolicy(key, signal): Promise<Result> {
    const { policy, collection } = policyAt(deps, key);
    if (!policy) return {};
    if (!policy.metadata.deletionTimestamp) {
      await addFinalizer(policy, collection);
      report(key);
      return {};
    }
    await seeTemplates(policy, signal);
    if (whyStay(viewOf(deps, policy), now()) === undefined) {
      await collection.removeFinalizer(policy, CASCADE_FINALIZER);
      return {};
    }
    report(key);
    return { requeueAfterMs: STAYING_MS };
  };

  /** What is not watched yet may hold a template that waits to be decided about. */
  async function seeTemplates({ spec }: AnyCascadePolicy, signal: AbortSignal): Promise<void> {
    for (const { apiVersion, kind } of spec.resourceSelectors) {
      await host.templates.ensure(apiVersion, kind)?.whenSynced(signal);
    }
  }

  /** For a policy made while the webhook was away. */
  async function addFinalizer({ metadata }: AnyCascadePolicy, collection: Collection<AnyCascadePolicy>): Promise<void> {
    const { uid, resourceVersion, finalizers = [] } = metadata;
    if (finalizers.includes(CASCADE_FINALIZER)) return;
    const wanted = [...finalizers, CASCADE_FINALIZER];
    await collection.mergePatch(metadata, { metadata: { uid, resourceVersion, finalizers: wanted } });
  }
}

/** Writes a policy's status when it says something new. */
export function cascadeReporter(deps: Sources, now: () => number = Date.now): Reconciler {
  return async function reportCascadePolicy(key): Promise<Result> {
    const { policy, collection } = policyAt(deps, key);
    if (!policy) return {};
    const view = viewOf(deps, policy);
    const { matched, ready, conflict } = planReport(view, now());
    const { generation } = policy.metadata;
    const conditions = withConditions(policy.status?.conditions, [
      { ...ready, type: "Ready", observedGeneration: generation },
      { ...conflict, type: "Conflict", observedGeneration: generation },
    ]);
    // Whoever starts after us takes what we have spoken of to be on record.
    const observedGeneration = view.waitsFor === undefined ? generation : policy.status?.observedGeneration;
    const status: CascadeDeletionStatus = { observedGeneration, matched, conditions };
    if (!sameJson(status, saidBy(policy))) await collection.patchStatus(policy.metadata, status);
    if (view.waitsFor !== undefined) return { requeueAfterMs: UNHEARD_MS };
    return view.unknownKinds.length > 0 ? { requeueAfterMs: UNKNOWN_KIND_MS } : {};
  };
}

function saidBy({ status }: AnyCascadePolicy): CascadeDeletionStatus {
  const { observedGeneration, matched, conditions } = status ?? {};
  return { observedGeneration, matched, conditions };
}
