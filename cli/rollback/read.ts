// How are many objects read with few requests?
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isNotFound } from "../../lib/kube/errors.js";
import { collectionPath, type ApiResource, type ObjectName, type ResourceClient } from "../../lib/kube/resource.js";
import { METADATA_ONLY } from "../../lib/kube/metadata-only.js";
import { mapLimited } from "../access/limited.js";

/** Up to here objects of one kind and namespace are read one by one; beyond, all of them with one request. */
const FEW = 8;
/** Values in one selector: the address must not grow too long. */
const VALUES = 150;
/** So many values and more: all objects are read, whatever their labels. */
const MANY = 1_000;
const PAGE = 500;

/** An object of which only metadata was asked. */
export interface Bare {
  readonly metadata: ObjectMeta;
}

/** The objects of these names that are there, in no order. All names are in one namespace. @throws KubeError */
export async function readNamed<T extends KubeObject>(
  objects: ResourceClient<T>,
  names: readonly ObjectName[],
): Promise<readonly T[]> {
  if (names.length <= FEW) {
    const found = await mapLimited(names, name => objects.find(name));
    return found.filter(object => object !== undefined);
  }
  const wanted = new Set(names.map(({ name }) => name));
  const { items } = await listed(objects, names[0]?.namespace);
  return items.filter(({ metadata }) => wanted.has(metadata.name));
}

/** A kind that went between discovery and this moment has no objects. */
async function listed<T extends KubeObject>(objects: ResourceClient<T>, namespace: string | undefined) {
  return objects.list({}, namespace).catch((error: unknown) => {
    if (isNotFound(error)) return { items: [] };
    throw error;
  });
}

/** The objects, in all namespaces, whose label has one of the values. @throws KubeError */
export async function readLabelled<T extends KubeObject>(
  objects: ResourceClient<T>,
  label: string,
  values: readonly string[],
): Promise<readonly T[]> {
  const lists = await mapLimited(selectorsFor(label, values), labelSelector => objects.list({ labelSelector }));
  const wanted = new Set(values);
  return lists.flatMap(({ items }) => items).filter(({ metadata }) => wanted.has(metadata.labels?.[label] ?? ""));
}

/** As `readLabelled`, without what the objects hold. @throws KubeError */
export async function readLabelledMetadata(
  client: KubeClient,
  resource: ApiResource,
  label: string,
  values: readonly string[],
): Promise<readonly Bare[]> {
  const lists = await mapLimited(selectorsFor(label, values), labelSelector =>
    readMetadata(client, resource, { labelSelector }),
  );
  const wanted = new Set(values);
  return lists.flat().filter(({ metadata }) => wanted.has(metadata.labels?.[label] ?? ""));
}

function selectorsFor(label: string, values: readonly string[]): readonly (string | undefined)[] {
  if (values.length > MANY) return [undefined];
  const chunks = Array.from({ length: Math.ceil(values.length / VALUES) }, (_, i) =>
    values.slice(i * VALUES, (i + 1) * VALUES),
  );
  return chunks.map(chunk => `${label} in (${chunk.join(",")})`);
}

/** Which objects; no namespace: those of all. */
export interface MetadataQuery {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The metadata of all objects of a kind. @throws KubeError */
export async function readMetadata(
  client: KubeClient,
  resource: ApiResource,
  { namespace, ...selectors }: MetadataQuery,
): Promise<readonly Bare[]> {
  const items: Bare[] = [];
  let next: string | undefined;
  do {
    const query = { limit: PAGE, continue: next, ...selectors };
    const page: BarePage = await client.request<BarePage>("GET", collectionPath(resource, namespace), {
      query,
      accept: METADATA_ONLY,
    });
    items.push(...(page.items ?? []));
    next = page.metadata.continue || undefined;
  } while (next);
  return items;
}

interface BarePage {
  readonly items?: readonly Bare[] | null;
  readonly metadata: { readonly continue?: string };
}

/** Items by what `keyOf` says about them, in order of appearance. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
