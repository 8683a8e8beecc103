// Does in the member what was ordered when a Work goes: deletes, or lets go without a trace.
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";
import { contentsOf } from "../../lib/kube/namespace-contents.js";
import { bearsOurFields } from "../../lib/domain/release.js";
import { collectionFor, guarded, onObjectAsItIs, release } from "./objects.js";
import { fateOf, originOf, recordedOrigin, type Origin } from "./origin.js";
import { isOurs } from "./plan.js";
import { putBack } from "./put-back.js";
import type { Before } from "./snapshots.js";
import type { Order } from "../../lib/domain/work-word.js";
import { titleOf } from "../../lib/domain/title.js";

/** `waiting`: deleted, but the member still holds it back; `done`: nothing of ours is there any more. */
export type FarewellStep = "done" | "waiting";

/** One object of a Work that goes. */
export interface FarewellRequest {
  readonly work: Work;
  readonly manifest: KubeObject;
  readonly member: Member;
  readonly order: Order;
  /** Where the object comes from, as far as this process has seen itself. */
  readonly witnessed: Origin | undefined;
  /** What is kept of the Work's objects as they were before they were taken over, and what it says. */
  readonly snapshots: readonly AdoptionSnapshot[];
  readonly before: Before;
}

/** Carries out one order on one object, from a live read. Replayable: gone is done, and what is not ours stays. */
export function farewell({ metrics, events }: Dependencies) {
  return async function letGoOf(request: FarewellRequest): Promise<FarewellStep> {
    const { manifest, member } = request;
    if (!(await isServed(member, manifest))) return "done";
    const objects = await collectionFor(member, manifest);
    const read = () => objects.client.find(manifest.metadata);
    return onObjectAsItIs(read, live => carryOut(request, objects, live));
  };

  async function carryOut(
    request: FarewellRequest,
    objects: Collection,
    live: KubeObject | undefined,
  ): Promise<FarewellStep> {
    const { work, member } = request;
    if (!live) return "done";
    if (!isOurs(live, work)) return undo(request, objects, live);
    const { action, doubt } = fateOf(request.order, originIn(request, live));
    if (action === "keep") {
      await letGo(objects, live, request);
      if (doubt) tell(work, `${nameOf(live, member)} stays: whether it was there before is not known`);
      return "done";
    }
    if (!(await mayDelete(member, live))) {
      await letGo(objects, live, request);
      tell(work, `${nameOf(live, member)} holds what is not ours, so it was let go of and not deleted`);
      return "done";
    }
    if (live.metadata.deletionTimestamp) return "waiting";
    // As it was read: somebody may take our mark off, and the object with it, in this very moment.
    const { resourceVersion } = live.metadata;
    return (await guarded(() => objects.delete(live, { resourceVersion }))) ? "done" : "waiting";
  }

  /** An adoption that came to no end has moved ownership to us, but has not marked the object: it was there before us. */
  async function undo(request: FarewellRequest, objects: Collection, live: KubeObject): Promise<FarewellStep> {
    const isHeldByOthers = live.metadata.labels?.[WORK_ID_LABEL] !== undefined;
    const wasBegun = request.before.has(live.metadata.uid ?? "") && bearsOurFields(live);
    if (wasBegun && !isHeldByOthers) await letGo(objects, live, request);
    return "done";
  }

  async function letGo(objects: Collection, live: KubeObject, request: FarewellRequest): Promise<void> {
    const { member, before, order } = request;
    const current = order === "restore" ? await restore(objects, live, request) : live;
    await release(objects, current, before.get(live.metadata.uid ?? ""));
    objects.store.remove(live);
    metrics.preserved.inc({ member_cluster: member.name });
  }

  /** What cannot be put back stays as it is, and says so. */
  async function restore(objects: Collection, live: KubeObject, request: FarewellRequest): Promise<KubeObject> {
    const { work, member, before, snapshots } = request;
    const { uid = "" } = live.metadata;
    const earlier = before.get(uid);
    if (earlier && !snapshots.some(({ spec }) => spec.uid === uid && spec.partial)) {
      const { object, refused } = await putBack(objects, live, earlier);
      if (refused) tellNotRestored(`the cluster refuses them: ${refused}`);
      return object;
    }
    if (earlier) tellNotRestored("the object was too large to be kept as it was");
    else if (originIn(request, live) !== "Created") tellNotRestored("how the object was is not known");
    return live;

    function tellNotRestored(why: string): void {
      events.warning(work, "RestoreFailed", `${nameOf(live, member)} does not get its earlier values: ${why}`);
    }
  }

  function tell(work: Work, note: string): void {
    events.warning(work, "ResourcesLeftBehind", note);
  }
}

function originIn({ work, manifest, witnessed, snapshots }: FarewellRequest, live: KubeObject): Origin["origin"] {
  return originOf(live, { witnessed, recorded: recordedOrigin(work, manifest), snapshots }).origin;
}

function nameOf(object: KubeObject, member: Member): string {
  return `${titleOf(object)} in cluster ${member.name}`;
}

/** A kind that the member no longer serves has taken its objects with it; a member that cannot say is asked again. */
async function isServed(member: Member, { apiVersion, kind }: KubeObject): Promise<boolean> {
  if (member.discovery.find(apiVersion, kind)) return true;
  await member.discovery.refresh();
  if (member.discovery.find(apiVersion, kind)) return true;
  if (!member.discovery.served.complete) {
    throw new KubeError(
      0,
      "",
      `cluster ${member.name} does not answer for all of its APIs: whether it serves ${kind} is not known`,
    );
  }
  return false;
}

/** A namespace that holds anything not ours, or anything preserved, is never deleted by us (design 5). */
async function mayDelete(member: Member, live: KubeObject): Promise<boolean> {
  if (live.kind !== "Namespace" || live.apiVersion !== "v1") return true;
  const { occupants, hidden } = await contentsOf(member.client, member.discovery, live.metadata.name);
  return hidden === undefined && occupants.length === 0;
}
