// How is a kind of objects in a member reached, and how is one of them let go of?
import type { KubeObject } from "../../crds/object.js";
import { releasePatch } from "../../lib/domain/release.js";
import { isNotFound } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";

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

/** The member's collection of a kind. @throws when the member does not serve it, after asking it anew. */
export async function collectionFor(member: Member, { apiVersion, kind }: KubeObject): Promise<Collection> {
  const known = member.discovery.find(apiVersion, kind);
  if (!known) await member.discovery.refresh();
  const resource = known ?? member.discovery.find(apiVersion, kind);
  if (!resource) throw new Error(`cluster ${member.name} does not serve ${apiVersion} ${kind}; install its CRD there`);
  return member.objects(resource);
}
