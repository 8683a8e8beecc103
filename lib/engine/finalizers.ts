// Which objects does Holdfast hold by a finalizer, and how does it let go of all of them?
import {
  BINDING_FINALIZER,
  CASCADE_FINALIZER,
  CPP_FINALIZER,
  CRB_FINALIZER,
  LET_GO_FINALIZER,
  PP_FINALIZER,
} from "../domain/marks.js";
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../kube/client.js";
import { onePerKind, type ServedResource } from "../kube/discovery.js";
import { isConflict, isNotFound, messageOf } from "../kube/errors.js";
import { METADATA_ONLY } from "../kube/metadata-only.js";
import { collectionPath, ResourceClient } from "../kube/resource.js";

/**
 * What would keep people's objects and namespaces from going once no operator is there. Works and Clusters keep theirs: they
 * are the record of what is in members, and in namespaces that nobody but the operator uses.
 */
const OURS: ReadonlySet<string> = new Set([
  LET_GO_FINALIZER,
  PP_FINALIZER,
  CPP_FINALIZER,
  CASCADE_FINALIZER,
  BINDING_FINALIZER,
  CRB_FINALIZER,
]);

/** One object that a finalizer of ours is on. */
export interface HeldObject {
  readonly resource: ServedResource;
  readonly metadata: KubeObject["metadata"];
}

/** What a look at everything has found, and the kinds that could not be read. */
export interface HeldObjects {
  readonly held: readonly HeldObject[];
  readonly unread: readonly string[];
}

const PAGE = 500;

interface MetadataPage {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly { readonly metadata: KubeObject["metadata"] }[];
}

/** The finalizers of an object that are to go. Pure. */
export function finalizersOfOurs({ finalizers = [] }: KubeObject["metadata"]): string[] {
  return finalizers.filter(name => OURS.has(name));
}

/** Looks through every kind that can be listed and patched, in pages of metadata. @throws when the signal aborts */
export async function findHeld(
  client: KubeClient,
  resources: readonly ServedResource[],
  signal: AbortSignal,
): Promise<HeldObjects> {
  const kinds = onePerKind(resources, ["list", "patch"]);
  const answers = await Promise.all(
    kinds.map(async (resource): Promise<HeldObjects> => {
      try {
        return { held: await heldOf(client, resource, signal), unread: [] };
      } catch (error) {
        signal.throwIfAborted();
        return { held: [], unread: isNotFound(error) ? [] : [`${resource.kind}: ${messageOf(error)}`] };
      }
    }),
  );
  return { held: answers.flatMap(({ held }) => held), unread: answers.flatMap(({ unread }) => unread) };
}

async function heldOf(client: KubeClient, resource: ServedResource, signal: AbortSignal): Promise<HeldObject[]> {
  const held: HeldObject[] = [];
  let next: string | undefined;
  do {
    const query = { limit: PAGE, continue: next };
    const options = { accept: METADATA_ONLY, query, signal };
    const page = await client.request<MetadataPage>("GET", collectionPath(resource), options);
    for (const { metadata } of page.items ?? []) {
      if (finalizersOfOurs(metadata).length > 0) held.push({ resource, metadata });
    }
    next = page.metadata?.continue || undefined;
  } while (next);
  return held;
}

const ATTEMPTS = 5;

/**
 * Takes our finalizers off one object and leaves those of others; one that was changed meanwhile is read again.
 * @returns why not, or `undefined` when it is free or gone
 */
export async function letGoOf(client: KubeClient, { resource, metadata }: HeldObject): Promise<string | undefined> {
  const objects = new ResourceClient(client, resource);
  let seen = metadata;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const why = await takeOff(objects, seen);
    if (why === undefined) return undefined;
    if (!isConflict(why)) return messageOf(why);
    const found = (await objects.find(metadata))?.metadata;
    if (!found || finalizersOfOurs(found).length === 0) return undefined;
    seen = found;
  }
  return "it is changed again and again";
}

async function takeOff(objects: ResourceClient, metadata: KubeObject["metadata"]): Promise<unknown> {
  const { uid, resourceVersion, finalizers = [] } = metadata;
  const wanted = finalizers.filter(name => !OURS.has(name));
  try {
    await objects.mergePatch(metadata, { metadata: { uid, resourceVersion, finalizers: wanted } });
    return undefined;
  } catch (error) {
    return isNotFound(error) ? undefined : error;
  }
}
