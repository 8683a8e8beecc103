// Brings one member object in step with its manifest.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { adoptPatch } from "../../lib/domain/adopt.js";
import {
  CONFLICT_RESOLUTION_ANNOTATION,
  FIELD_MANAGER,
  RETAIN_REPLICAS_LABEL,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import { withoutReplicas, yieldReplicasPatch } from "../../lib/domain/retain-replicas.js";
import { TerminalError } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isNotFound, KubeError } from "../../lib/kube/errors.js";
import { WORKS_BY_ID } from "../../lib/kube/host.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";
import { ensureMemberNamespace } from "../../lib/kube/member-namespace.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { collectionFor, releaseWhileOurs } from "./objects.js";
import type { Origin } from "./origin.js";
import type { Outcomes } from "./outcomes.js";
import { inStep, isOurs, planAdoption, recordOf, unknownFields, withMarks, withoutField } from "./plan.js";

/** One manifest of one Work, on its way to one member. */
export interface ApplyRequest {
  readonly work: Work;
  readonly workKey: string;
  readonly member: Member;
  readonly manifest: KubeObject;
  readonly signal: AbortSignal;
}

/** An object that is there and that we may not touch; asking again at once changes nothing. */
export class RefusedError extends TerminalError {}

/** `dropped`: fields that the member does not know and that were left out. `written`: whether anything was sent at all. */
export interface ApplyResult {
  readonly dropped: readonly string[];
  readonly written: boolean;
}

const NOTHING: ApplyResult = { dropped: [], written: false };

/** Applies manifests. */
export function applier({ host, metrics }: Dependencies, outcomes: Outcomes) {
  return async function applyOne(request: ApplyRequest): Promise<ApplyResult> {
    const { work, workKey, member, signal } = request;
    const manifest = withMarks(request.manifest, work);
    const objects = await collectionFor(member, manifest);
    await objects.whenSynced(signal);

    const cached = objects.find(manifest.metadata);
    if (cached && isOurs(cached, work)) {
      const record = outcomes.record(workKey, manifest);
      if (inStep(manifest, cached, record, appliedBefore(work))) {
        if (!record) outcomes.setRecord(workKey, manifest, recordOf(manifest, cached));
        return NOTHING;
      }
      return update(request, objects, manifest, cached);
    }
    const live = await objects.client.find(manifest.metadata, signal);
    if (!live) return create(request, objects, manifest);
    if (isOurs(live, work)) return update(request, objects, manifest, live);
    return adopt(request, objects, manifest, live);
  };

  async function create(request: ApplyRequest, objects: Collection, manifest: KubeObject): Promise<ApplyResult> {
    const { work, member } = request;
    const overwrite = isOverwrite(work);
    const { created, object, dropped } = await withNamespace(request, manifest, () =>
      send(request, objects, manifest, overwrite),
    );
    if (!created && !overwrite) {
      // Somebody made it between our look and our write; it is theirs, so we let go of it at once.
      await releaseWhileOurs(objects, object, work);
      throw refusal(work, manifest, object, member);
    }
    witness(request, object, created ? "Created" : "Adopted");
    const { apiVersion: apiversion, kind } = manifest;
    metrics.writesToMembers.inc({ result: "success", apiversion, kind, member_cluster: member.name });
    return { dropped, written: true };
  }

  async function update(
    request: ApplyRequest,
    objects: Collection,
    manifest: KubeObject,
    live: KubeObject,
  ): Promise<ApplyResult> {
    const { uid } = live.metadata;
    const wanted = await withRetainedReplicas(objects, manifest, live);
    // The uid makes it fail, rather than create, when the object went in the meantime.
    const guarded = { ...wanted, metadata: { ...wanted.metadata, uid } };
    const { dropped } = await send(request, objects, guarded, true);
    return { dropped, written: true };
  }

  async function adopt(
    request: ApplyRequest,
    objects: Collection,
    manifest: KubeObject,
    live: KubeObject,
  ): Promise<ApplyResult> {
    const { work, member } = request;
    if (planAdoption(work, manifest, live, holderOf(live, work)).action === "refuse") {
      throw refusal(work, manifest, live, member);
    }
    const wanted = isRetained(manifest) ? withoutReplicas(manifest) : manifest;
    const patch = adoptPatch(live, wanted);
    if (patch) await objects.client.jsonPatch(live.metadata, patch);
    const guarded = { ...wanted, metadata: { ...wanted.metadata, uid: live.metadata.uid } };
    const { dropped, object } = await send(request, objects, guarded, true);
    witness(request, object, "Adopted");
    return { dropped, written: true };
  }

  function witness({ workKey, manifest }: ApplyRequest, { metadata }: KubeObject, origin: Origin["origin"]): void {
    outcomes.setOrigin(workKey, manifest, { uid: metadata.uid ?? "", origin });
  }

  /** Applies, leaving out what an older member does not know; remembers what the server made of it. */
  async function send(request: ApplyRequest, objects: Collection, manifest: KubeObject, force: boolean) {
    const dropped: string[] = [];
    let reduced = manifest;
    for (;;) {
      try {
        const answer = await objects.apply(reduced, { manager: FIELD_MANAGER, force }, request.signal);
        const marked = withMarks(request.manifest, request.work);
        outcomes.setRecord(request.workKey, marked, recordOf(marked, answer.object));
        return { ...answer, dropped };
      } catch (error) {
        const unknown = error instanceof KubeError && error.status === 500 ? unknownFields(error.message) : [];
        // A field named a second time is one that cannot be taken out: sending the same again is no use.
        if (unknown.length === 0 || unknown.some(field => dropped.includes(field))) throw error;
        dropped.push(...unknown);
        reduced = unknown.reduce(withoutField, reduced);
      }
    }
  }

  /** An object whose namespace is missing gets one (design 10). */
  async function withNamespace<T>({ member }: ApplyRequest, manifest: KubeObject, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const { namespace } = manifest.metadata;
      if (!namespace || !isNotFound(error)) throw error;
      await ensureMemberNamespace(member, namespace, host.namespaces.get(namespace));
      return run();
    }
  }

  /** Another Work of ours that holds the object; a foreign id is Karmada's or an old host's, and Overwrite takes it. */
  function holderOf(live: KubeObject, work: Work): string | undefined {
    const id = live.metadata.labels?.[WORK_ID_LABEL];
    const [holder] = id ? host.works.store.byIndex(WORKS_BY_ID, id) : [];
    if (!holder || holder.metadata.uid === work.metadata.uid) return undefined;
    return `${holder.metadata.namespace}/${holder.metadata.name}`;
  }

  function refusal(work: Work, manifest: KubeObject, live: KubeObject, member: Member): RefusedError {
    const plan = planAdoption(work, manifest, live, holderOf(live, work));
    const { namespace, name } = manifest.metadata;
    const where = `${manifest.kind} ${namespace ? `${namespace}/` : ""}${name} in cluster ${member.name}`;
    return new RefusedError("AppliedFailed", `${where}: ${plan.action === "refuse" ? plan.why : "already exists"}`);
  }
}

/** `spec.replicas` of a retained object is the member's: first we cease to own it, only then we leave it out (design 6). */
async function withRetainedReplicas(
  objects: Collection,
  manifest: KubeObject,
  cached: KubeObject,
): Promise<KubeObject> {
  if (!isRetained(manifest)) return manifest;
  const live = await objects.client.find(cached.metadata);
  const patch = live && yieldReplicasPatch(live);
  if (live && patch) await objects.client.jsonPatch(live.metadata, patch);
  return withoutReplicas(manifest);
}

const isRetained = (manifest: KubeObject): boolean => manifest.metadata.labels?.[RETAIN_REPLICAS_LABEL] === "true";

const isOverwrite = (work: Work): boolean =>
  work.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] === "overwrite";

function appliedBefore(work: Work): boolean {
  const applied = conditionOf(work, "Applied");
  return applied?.status === "True" && applied.observedGeneration === work.metadata.generation;
}
