// Does in the member what was ordered when a Work goes: deletes, or lets go without a trace.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { contentsOf } from "../../lib/kube/namespace-contents.js";
import { collectionFor, release } from "./objects.js";
import { isOurs } from "./plan.js";

/** `waiting`: deleted, but the member still holds it back; `done`: nothing of ours is there any more. */
export type FarewellStep = "done" | "waiting";

/** Carries out one order on one object, from a live read. Replayable: gone is done, and what is not ours stays. */
export function farewell({ metrics, events }: Dependencies) {
  return async function letGoOf(
    work: Work,
    manifest: KubeObject,
    member: Member,
    order: "keep" | "delete",
  ): Promise<FarewellStep> {
    if (!(await isServed(member, manifest))) return "done";
    const objects = await collectionFor(member, manifest);
    const live = await objects.client.find(manifest.metadata);
    if (!live || !isOurs(live, work)) return "done";
    if (order === "keep" || !(await mayDelete(member, live))) {
      await release(objects, live);
      objects.store.remove(live);
      metrics.preserved.inc({ member_cluster: member.name });
      if (order === "delete") {
        const note = `namespace ${live.metadata.name} in cluster ${member.name} holds what is not ours, so it was let go of and not deleted`;
        events.warning(work, "ResourcesLeftBehind", note);
      }
      return "done";
    }
    if (live.metadata.deletionTimestamp) return "waiting";
    // As it was read: somebody may take our mark off, and the object with it, in this very moment.
    const { resourceVersion } = live.metadata;
    return (await objects.delete(live, { resourceVersion })) ? "done" : "waiting";
  };
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
