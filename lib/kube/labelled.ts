// Which objects of a namespace bear a label, or are there at all, whatever their kind?
import type { KubeClient } from "./client.js";
import { isNotFound } from "./errors.js";
import { METADATA_ONLY } from "./metadata-only.js";
import { collectionPath, type ApiResource } from "./resource.js";

/** Where to look, and for what. */
export interface LabelQuery {
  readonly namespace: string;
  /** As in a URL: `key=value`; absent for every object. */
  readonly labelSelector?: string;
  readonly signal: AbortSignal;
}

/** What was found, and the kinds about which the server gave no answer. */
export interface Labelled {
  readonly found: readonly { readonly kind: string; readonly name: string }[];
  readonly unread: readonly string[];
}

/** More than a message names or a person counts. */
const ENOUGH = 100;

interface MetadataList {
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
}

/** Asks for each kind once, all at the same time; never throws. */
export async function findLabelled(
  client: KubeClient,
  resources: readonly ApiResource[],
  { namespace, labelSelector, signal }: LabelQuery,
): Promise<Labelled> {
  const answers = await Promise.all(
    resources.map(async (resource): Promise<Labelled> => {
      const { kind } = resource;
      try {
        const options = { accept: METADATA_ONLY, query: { labelSelector, limit: ENOUGH }, signal };
        const list = await client.request<MetadataList>("GET", collectionPath(resource, namespace), options);
        return { found: (list.items ?? []).map(({ metadata: { name } }) => ({ kind, name })), unread: [] };
      } catch (error) {
        // A kind that is no longer served has no objects.
        return { found: [], unread: isNotFound(error) ? [] : [kind] };
      }
    }),
  );
  return { found: answers.flatMap(a => a.found), unread: answers.flatMap(a => a.unread) };
}
