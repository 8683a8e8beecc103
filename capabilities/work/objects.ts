// How is a kind of objects in a member reached, and how is one of them let go of?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { releasePatch } from "../../lib/domain/release.js";
import { isNotFound, KubeError } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";
import { isOurs } from "./plan.js";

/** Lets go of one object as it is now: a metadata-only patch made from a live read (design 4). */
export async function release(objects: Collection, live: KubeObject): Promise<void> {
  const patch = releasePatch(live);
  if (!patch) return;
  try {
    await objects.client.jsonPatch(live.metadata, patch);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

const RELEASE_ATTEMPTS = 5;

/**
 * As `release`, for an object that must not keep our mark: its own controller may write to it between any look and our
 * patch, and the next reconcile would take it for ours. Reads it anew until the patch meets what it was made from.
 * @throws KubeError when the member does not answer, or the object never stands still
 */
export async function releaseWhileOurs(objects: Collection, live: KubeObject, work: Work): Promise<void> {
  let current: KubeObject | undefined = live;
  for (let attempt = 1; current && isOurs(current, work); attempt++) {
    try {
      await release(objects, current);
      objects.store.remove(current);
      return;
    } catch (error) {
      const moved = error instanceof KubeError && (error.status === 409 || error.status === 422);
      if (!moved || attempt === RELEASE_ATTEMPTS) throw error;
      current = await objects.client.find(live.metadata);
    }
  }
}

/** The member's collection of a kind. @throws when the member does not serve it, after asking it anew. */
export async function collectionFor(member: Member, { apiVersion, kind }: KubeObject): Promise<Collection> {
  const known = member.discovery.find(apiVersion, kind);
  if (!known) await member.discovery.refresh();
  const resource = known ?? member.discovery.find(apiVersion, kind);
  if (!resource) throw new Error(`cluster ${member.name} does not serve ${apiVersion} ${kind}; install its CRD there`);
  return member.objects(resource);
}
