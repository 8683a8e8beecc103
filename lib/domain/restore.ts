// Which patch gives an object that was taken over the values back that it had before?
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { allFields, isFromApplier, isOurs } from "./field-entries.js";
import { isEmpty, NO_FIELDS, refineWholes, union, type FieldNode } from "./field-tree.js";
import { patchBetween, type PatchOperation } from "./json-patch.js";
import { formatPointer } from "./json-pointer.js";
import { isRecord, ownValue, sameJson, withoutKeys } from "./json-value.js";
import { KARMADA_MEMBER_ANNOTATIONS, KARMADA_MEMBER_LABELS } from "./marks.js";
import { guardOperations } from "./patch-guard.js";
import { itemsById } from "./restore-lists.js";

/** What becomes of an object's values when it is put back. */
export interface Restoration {
  /** The object as it will be: our marks are still on it, and go with the release that follows. */
  readonly object: KubeObject;
  /** `undefined` when every value is as it was. Guarded by uid and resourceVersion. */
  readonly patch: readonly PatchOperation[] | undefined;
  /** JSON pointers of what others have changed since, and what therefore stays as it is now. */
  readonly changedByOthers: readonly string[];
}

/** Who owns what at one place of the object. */
export interface Owners {
  readonly ours: FieldNode;
  readonly others: FieldNode;
  /** Those of before: tools that declare whole objects, from whom adoption takes over, and all the others. */
  readonly appliers: FieldNode;
  readonly writers: FieldNode;
}

const NOT_BODY = ["apiVersion", "kind", "metadata", "status"];
const MARKS = { labels: KARMADA_MEMBER_LABELS, annotations: KARMADA_MEMBER_ANNOTATIONS } as const;

/**
 * What adoption, and we since then, have changed goes back to how it was in `before` (AdoptionSnapshot). What others have
 * changed since is theirs and stays. Status and the member's own counters are not touched: nobody but their controllers
 * owns them. Both objects must come from the API server, with managedFields; throws for a `live` that does not.
 * The release with the same `before` comes next: it gives the fields back to their owners. Source: design 4.
 */
export function planRestoration(live: KubeObject, before: KubeObject): Restoration {
  const owners = ownersOf(live, before);
  const changedByOthers: string[] = [];
  const restore = restorer(path => changedByOthers.push(formatPointer(path)));

  const body = Object.fromEntries(
    keysOf(live, before)
      .filter(key => !NOT_BODY.includes(key))
      .map(key => [key, restore(live[key], before[key], at(owners, `f:${key}`), [key])])
      .filter(([, value]) => value !== undefined),
  );
  const kept = Object.fromEntries(Object.entries(live).filter(([key]) => NOT_BODY.includes(key)));
  const metadata = { ...live.metadata, ...restoredMetadata() };
  const object = withoutUndefined({ ...kept, ...body, metadata }) as KubeObject;
  const operations = patchBetween(live, object);
  const patch = operations.length > 0 ? [...guardOperations(live), ...operations] : undefined;
  return { object, patch, changedByOthers };

  function restoredMetadata(): Partial<KubeObject["metadata"]> {
    const inMetadata = at(owners, "f:metadata");
    const map = (field: "labels" | "annotations") => {
      const isMark = (key: string) => MARKS[field].includes(key);
      const [now, then] = [live, before].map(({ metadata: m }) => withoutKeys(m[field], isMark));
      const marks = withoutKeys(live.metadata[field], key => !isMark(key));
      const restored = restore(now, then, at(inMetadata, `f:${field}`), ["metadata", field]);
      return restored || marks ? { ...(restored as object | undefined), ...marks } : undefined;
    };
    const { finalizers } = live.metadata;
    const held = restore(finalizers, before.metadata.finalizers, at(inMetadata, "f:finalizers"), [
      "metadata",
      "finalizers",
    ]);
    return { labels: map("labels"), annotations: map("annotations"), finalizers: held } as KubeObject["metadata"];
  }
}

type Restore = (live: unknown, before: unknown, owners: Owners, path: readonly string[]) => unknown;

/** `tell` is called with the path of every field that stays as others have made it since. */
function restorer(tell: (path: readonly string[]) => void): Restore {
  return restore;

  function restore(live: unknown, before: unknown, owners: Owners, path: readonly string[]): unknown {
    if (sameJson(live, before)) return live;
    if (isRecord(live) && (isRecord(before) || before === undefined)) return record(live, before, owners, path);
    if (Array.isArray(live) && Array.isArray(before)) {
      return list(live, before, owners, path) ?? unit(live, before, owners, path);
    }
    return unit(live, before, owners, path);
  }

  function record(
    live: Readonly<Record<string, unknown>>,
    before: Readonly<Record<string, unknown>> | undefined,
    owners: Owners,
    path: readonly string[],
  ): unknown {
    if (isWhole(owners)) return unit(live, before, owners, path);
    const entries = keysOf(live, before ?? {}).map(key => {
      const [now, then] = [ownValue(live, key), before && ownValue(before, key)];
      return [key, restore(now, then, at(owners, `f:${key}`), [...path, key])] as const;
    });
    const kept = entries.filter(([, value]) => value !== undefined);
    return before || kept.length > 0 ? Object.fromEntries(kept) : undefined;
  }

  /** `undefined` for a list that has only one owner as a whole. */
  function list(
    live: readonly unknown[],
    before: readonly unknown[],
    owners: Owners,
    path: readonly string[],
  ): unknown[] | undefined {
    const items = itemsById(live, before, Object.values(owners).reduce(union, NO_FIELDS));
    const restored = items?.map(({ now, then, element }) => {
      const inItem = at(owners, element);
      const run = now !== undefined && then !== undefined ? restore : unit;
      return run(now, then, inItem, [...path, element.slice(2)]);
    });
    return restored?.filter(item => item !== undefined);
  }

  /** A value that goes back, or stays, as one. */
  function unit(live: unknown, before: unknown, { ours, others, appliers, writers }: Owners, path: readonly string[]) {
    const isTheirs = live === undefined ? isEmpty(appliers) && !isEmpty(writers) : isEmpty(ours) && !isEmpty(others);
    if (!isTheirs) return before;
    tell(path);
    return live;
  }
}

const isWhole = (owners: Owners): boolean => Object.values(owners).some((node: FieldNode) => node.whole);

function ownersOf(live: KubeObject, before: KubeObject): Owners {
  const now = entriesOf(live);
  const then = entriesOf(before).filter(entry => !isOurs(entry));
  const fields = {
    ours: allFields(now.filter(isOurs)),
    others: allFields(now.filter(entry => !isOurs(entry))),
    appliers: allFields(then.filter(isFromApplier)),
    writers: allFields(then.filter(entry => !isFromApplier(entry))),
  };
  const shape = Object.values(fields).reduce(union, NO_FIELDS);
  return mapOwners(fields, node => refineWholes(node, shape));
}

const entriesOf = ({ metadata }: KubeObject): readonly ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []).filter(({ subresource }) => subresource !== "status");

/** The owners of what `element` names inside: who owns a value as a whole owns all that is in it. */
function at(owners: Owners, element: string): Owners {
  return mapOwners(owners, node => (node.whole ? node : (node.children.get(element) ?? NO_FIELDS)));
}

function mapOwners({ ours, others, appliers, writers }: Owners, map: (node: FieldNode) => FieldNode): Owners {
  return { ours: map(ours), others: map(others), appliers: map(appliers), writers: map(writers) };
}

/** In the order of what is there now, so that a patch says no more than it must. */
function keysOf(live: object, before: object): readonly string[] {
  return [...new Set([...Object.keys(live), ...Object.keys(before)])];
}

function withoutUndefined<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
