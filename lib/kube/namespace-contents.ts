// What is in a namespace of a cluster, apart from what every namespace has?
import type { ObjectMeta } from "../../crds/object.js";
import type { KubeClient } from "./client.js";
import type { Discovery, ServedResource } from "./discovery.js";
import { isNotFound, KubeError, messageOf } from "./errors.js";
import { METADATA_ONLY } from "./metadata-only.js";
import { collectionPath, groupKindOf } from "./resource.js";

/** One object, by kind and metadata only: contents, such as a Secret's, are never read. */
export interface Occupant {
  /** `apps/Deployment`, `/ConfigMap`. */
  readonly groupKind: string;
  readonly metadata: Pick<
    ObjectMeta,
    "name" | "uid" | "deletionTimestamp" | "ownerReferences" | "annotations" | "labels"
  >;
}

/** `hidden` says why not everything could be seen; then nothing is known to be empty. */
export interface Contents {
  readonly occupants: readonly Occupant[];
  readonly hidden?: string;
}

const AT_ONCE = 4;
/** A second look is a race with whoever creates something: all connections that a client has. */
const AT_ONCE_AGAIN = 8;
const PAGE = 200;
/** Groups of what people create most: looked at last, so that whoever comes meanwhile is most likely seen. */
const OFTEN: ReadonlySet<string> = new Set(["", "apps", "batch"]);
/** Records about other objects: they go with them. */
const RECORDS: ReadonlySet<string> = new Set(["/Event", "events.k8s.io/Event", "coordination.k8s.io/Lease"]);

/**
 * Everything that counts in a namespace. The default ServiceAccount, `kube-root-ca.crt`, Events, Leases, and what is owned
 * by those do not. Asks for every kind that the cluster serves now; `again`: for those that a look a moment ago has found,
 * as fast as it goes.
 * @throws KubeError when the cluster does not answer, or asks for patience.
 */
export async function contentsOf(
  client: KubeClient,
  discovery: Discovery,
  namespace: string,
  again = false,
): Promise<Contents> {
  if (!again) await discovery.refresh();
  if (!discovery.served.complete) return { occupants: [], hidden: "an aggregated API of the cluster does not answer" };
  const kinds = listableKinds(discovery.served.resources);
  const all: Occupant[] = [];
  let hidden: string | undefined;
  const worker = async (): Promise<void> => {
    for (let kind = kinds.shift(); kind; kind = kinds.shift()) {
      const found = await listOf(client, kind, namespace);
      if (typeof found === "string") hidden = found;
      else all.push(...found);
    }
  };
  await Promise.all(Array.from({ length: again ? AT_ONCE_AGAIN : AT_ONCE }, worker));
  return { occupants: withoutFurniture(all), hidden };
}

/** One version of each namespaced kind that can be listed, in the order to look. Exported for its test. */
export function listableKinds(resources: readonly ServedResource[]): ServedResource[] {
  const kinds = new Map<string, ServedResource>();
  for (const resource of resources) {
    const id = groupKindOf(resource);
    if (!resource.namespaced || !resource.verbs.includes("list") || RECORDS.has(id) || kinds.has(id)) continue;
    kinds.set(id, resource);
  }
  return [...kinds.values()].sort((a, b) => Number(OFTEN.has(a.group)) - Number(OFTEN.has(b.group)));
}

interface Page {
  readonly items?: readonly { readonly metadata: Occupant["metadata"] }[] | null;
  readonly metadata: { readonly continue?: string };
}

async function listOf(client: KubeClient, kind: ServedResource, namespace: string): Promise<Occupant[] | string> {
  const groupKind = groupKindOf(kind);
  const occupants: Occupant[] = [];
  let next: string | undefined;
  try {
    do {
      const query = { limit: PAGE, continue: next };
      const page: Page = await client.request("GET", collectionPath(kind, namespace), { query, accept: METADATA_ONLY });
      for (const { metadata } of page.items ?? []) occupants.push({ groupKind, metadata });
      next = page.metadata.continue || undefined;
    } while (next);
    return occupants;
  } catch (error) {
    // A kind that ceased to be served a moment ago holds nothing.
    if (isNotFound(error)) return [];
    if (isRefusal(error)) return `${groupKind} objects cannot be listed: ${messageOf(error)}`;
    throw error;
  }
}

/** A refusal stands; silence, too many requests and a failing server may pass. */
function isRefusal(error: unknown): boolean {
  return error instanceof KubeError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Takes out what every namespace has. Exported for its table test. */
export function withoutFurniture(all: readonly Occupant[]): Occupant[] {
  const furniture = new Set(all.filter(isFurniture).map(({ metadata }) => metadata.uid));
  return all.filter(occupant => !isFurniture(occupant) && !belongsTo(furniture, occupant));
}

function isFurniture({ groupKind, metadata }: Occupant): boolean {
  if (RECORDS.has(groupKind)) return true;
  if (groupKind === "/ServiceAccount") return metadata.name === "default";
  return groupKind === "/ConfigMap" && metadata.name === "kube-root-ca.crt";
}

function belongsTo(furniture: ReadonlySet<string | undefined>, { groupKind, metadata }: Occupant): boolean {
  // Token Secrets carry no owner reference; Kubernetes removes them with their account.
  const account = groupKind === "/Secret" ? metadata.annotations?.["kubernetes.io/service-account.name"] : undefined;
  if (account === "default") return true;
  const owners = metadata.ownerReferences ?? [];
  return owners.length > 0 && owners.every(owner => furniture.has(owner.uid));
}
