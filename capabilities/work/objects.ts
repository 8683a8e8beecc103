// How is a kind of objects in a member reached, and how is one of them let go of?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { releasePatch } from "../../lib/domain/release.js";
import { isNotFound, KubeError, messageOf } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";
import { isOurs } from "./plan.js";

/** A guarded write met another object than the one it was made for: somebody has written to it, or put another there. */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";

  constructor(cause: unknown) {
    super(`the object is not as it was read a moment ago: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Runs a write that carries preconditions. A delete whose preconditions do not hold is answered with 409, a JSON patch
 * whose `test` does not hold with 422.
 * @throws OvertakenError for these; everything else as it came
 */
export async function guarded<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw overtakenOr(error);
  }
}

/** The error of a write that carried preconditions, read as `guarded` reads it. */
export function overtakenOr(error: unknown): unknown {
  const isOvertaken = error instanceof KubeError && (error.status === 409 || error.status === 422);
  return isOvertaken ? new OvertakenError(error) : error;
}

/**
 * Lets go of one object as it is now: a metadata-only patch made from a live read (design 4). `before`: as it was before
 * it was taken over, so that its owners get back what was taken from them.
 */
export async function release(objects: Collection, live: KubeObject, before?: KubeObject): Promise<void> {
  const patch = releasePatch(live, before);
  if (!patch) return;
  try {
    await guarded(() => objects.client.jsonPatch(live.metadata, patch));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** A member does not serve the kind of an object: somebody has to install it there. */
export class NotServedError extends Error {
  override readonly name = "NotServedError";
}

const ATTEMPTS = 5;

/**
 * Acts on an object as it was read just now. Its own controllers may write to it between any look and our guarded write:
 * then it is read anew at once, a few times. `first` is a read that was made already.
 * @throws KubeError when the member does not answer, or the object never stands still
 */
export async function onObjectAsItIs<T>(
  read: () => Promise<KubeObject | undefined>,
  act: (live: KubeObject | undefined) => Promise<T>,
  first?: KubeObject,
): Promise<T> {
  let live = first ?? (await read());
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(live);
    } catch (error) {
      if (!(error instanceof OvertakenError) || attempt === ATTEMPTS) throw error;
      live = await read();
    }
  }
}

/** As `release`, for an object that must not keep our mark: the next reconcile would take it for ours. */
export async function releaseWhileOurs(objects: Collection, live: KubeObject, work: Work): Promise<void> {
  const read = () => objects.client.find(live.metadata);
  await onObjectAsItIs(
    read,
    async current => {
      if (!current || !isOurs(current, work)) return;
      await release(objects, current);
      objects.store.remove(current);
    },
    live,
  );
}

/** The member's collection of a kind. @throws when the member does not serve it, after asking it anew. */
export async function collectionFor(member: Member, { apiVersion, kind }: KubeObject): Promise<Collection> {
  const known = member.discovery.find(apiVersion, kind);
  if (!known) await member.discovery.refresh();
  const resource = known ?? member.discovery.find(apiVersion, kind);
  if (!resource)
    throw new NotServedError(`cluster ${member.name} does not serve ${apiVersion} ${kind}; install its CRD there`);
  return member.objects(resource);
}
