// Brings one member object in step with its manifest.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { mayTakeOver } from "../../lib/domain/presence.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isNotFound } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import { ensureMemberNamespace } from "../../lib/kube/member-namespace.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { adopter } from "./adopt.js";
import { collectionFor, releaseWhileOurs } from "./objects.js";
import { isTemplateLeaving } from "./order.js";
import type { Origin } from "./origin.js";
import type { Outcomes } from "./outcomes.js";
import { inStep, isOurs, recordOf, withMarks } from "./plan.js";
import { withoutRetained, yieldRetained } from "./replicas.js";
import { sender, type ApplyRequest } from "./send.js";
import type { Snapshots } from "./snapshots.js";

/**
 * `dropped`: fields that the member does not know and that were left out. `written`: whether anything was sent at all.
 * `withheld`: the object is not there, and is not made either, since its template is on its way out.
 */
export interface ApplyResult {
  readonly dropped: readonly string[];
  readonly written: boolean;
  readonly withheld?: true;
}

const NOTHING: ApplyResult = { dropped: [], written: false };
const WITHHELD: ApplyResult = { ...NOTHING, withheld: true };

/** Applies manifests. */
export function applier({ host, metrics }: Dependencies, outcomes: Outcomes, snapshots: Snapshots) {
  const send = sender(outcomes);
  const { adopt: take, refusal } = adopter({ host }, snapshots, send);

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
    // Somebody took it away meanwhile: an order to keep would leave there for good what they did not want.
    if (await isTemplateLeaving(request.work, { host }, request.signal)) return WITHHELD;
    // Nor once it has left: its Works were on their way before it was free to go.
    if (host.works.get(request.workKey)?.metadata.deletionTimestamp) return WITHHELD;
    // Never by force: what somebody else makes in this very moment must not be lost before it was looked at.
    const { created, object, dropped } = await withNamespace(request, manifest, () =>
      send(request, objects, manifest, false),
    );
    if (!created) return appeared(request, objects, manifest, object);
    const { apiVersion: apiversion, kind } = manifest;
    metrics.writesToMembers.inc({ result: "success", apiversion, kind, member_cluster: request.member.name });
    witness(request, object, "Created");
    return { dropped, written: true };
  }

  /** Somebody made it between our look and our write; it is theirs, so we let go of it at once. */
  async function appeared(
    request: ApplyRequest,
    objects: Collection,
    manifest: KubeObject,
    object: KubeObject,
  ): Promise<ApplyResult> {
    await releaseWhileOurs(objects, object, request.work);
    if (!mayTakeOver(request.work)) throw refusal(request, manifest, object);
    const live = await objects.client.find(manifest.metadata, request.signal);
    if (!live) throw new Error(`${manifest.kind} ${manifest.metadata.name} came and went; it is tried again`);
    return adopt(request, objects, manifest, live);
  }

  async function update(
    request: ApplyRequest,
    objects: Collection,
    manifest: KubeObject,
    live: KubeObject,
  ): Promise<ApplyResult> {
    const { uid } = live.metadata;
    await yieldRetained(objects, manifest);
    const wanted = withoutRetained(manifest);
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
    const sent = await take(request, objects, manifest, live);
    if (!sent) return create(request, objects, manifest);
    witness(request, sent.object, "Adopted");
    return { dropped: sent.dropped, written: true };
  }

  function witness({ workKey, manifest }: ApplyRequest, { metadata }: KubeObject, origin: Origin["origin"]): void {
    outcomes.setOrigin(workKey, manifest, { uid: metadata.uid ?? "", origin });
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
}

function appliedBefore(work: Work): boolean {
  const applied = conditionOf(work, "Applied");
  return applied?.status === "True" && applied.observedGeneration === work.metadata.generation;
}
