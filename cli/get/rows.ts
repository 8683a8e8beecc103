// Which rows has a table of one kind across host and members?
import type { KubeObject } from "../../crds/object.js";
import { claimOf, describeClaim } from "../../lib/domain/claims.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { apiVersionOf } from "../../lib/kube/resource.js";
import { UNKNOWN } from "../output/table.js";
import {
  adoptionOf,
  objectKey,
  recordedAdoption,
  type Adoption,
  type Wanted,
  type WantedObjects,
} from "../view/adoption.js";
import { stateOf } from "../view/state.js";

/** Where an object is: the host, or a member by its name. */
export type Place = { readonly host: true } | { readonly cluster: string };

/** One line of the table. `object` is absent where there is none, or none that can be seen. */
export interface Row {
  readonly place: Place;
  readonly resource: ServedResource;
  readonly namespace?: string;
  readonly name: string;
  readonly ready?: string;
  readonly status?: string;
  readonly adoption?: Adoption;
  /** The policy that claims a template; the Work that wants an object in a member. */
  readonly by?: string;
  readonly object?: KubeObject;
}

/** Which objects are asked for; no names: all of them. */
export interface Asked {
  readonly resource: ServedResource;
  readonly names: readonly string[];
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** With a selector, what is missing in a member is told by what the host has of it. */
  readonly selected?: ReadonlySet<string>;
}

/** The rows of what the host has. */
export function hostRows(resource: ServedResource, objects: readonly KubeObject[]): Row[] {
  return objects.map(object => {
    const claim = claimOf(object);
    return {
      place: { host: true },
      ...identityOf(resource, object),
      ...stateOf(object, { isTemplate: claim !== undefined }),
      ...(claim && { adoption: "Template" as const, by: describeClaim(claim) }),
      object,
    };
  });
}

/** The rows of one member: what is there, and what should be. */
export function memberRows(
  asked: Asked,
  cluster: string,
  objects: readonly KubeObject[],
  wanted: WantedObjects,
): Row[] {
  const place = { cluster };
  const there = new Set(objects.map(objectKey));
  const present = objects.map((object): Row => {
    const want = wanted.get(objectKey(object));
    return {
      place,
      ...identityOf(asked.resource, object),
      ...stateOf(object),
      adoption: adoptionOf(object, want),
      by: want && workOf(want),
      object,
    };
  });
  const missing = wantedOf(asked, wanted).filter(([key]) => !there.has(key));
  return [
    ...present,
    ...missing.map(
      ([, want]): Row => ({
        place,
        ...identityOf(asked.resource, want.manifest),
        status: "Missing",
        adoption: "Missing",
        by: workOf(want),
      }),
    ),
  ];
}

/** The rows of a member that does not answer: what the host knows of it, or at least that something may be there. */
export function silentRows(asked: Asked, cluster: string, wanted: WantedObjects): Row[] {
  const known = wantedOf(asked, wanted);
  const blind = { place: { cluster }, resource: asked.resource, ready: UNKNOWN, status: "Unreachable" };
  const rows = known.map(
    ([, want]): Row => ({
      ...blind,
      ...identityOf(asked.resource, want.manifest),
      adoption: recordedAdoption(want),
      by: workOf(want),
    }),
  );
  const told = new Set(rows.map(({ name }) => name));
  const untold = asked.names.length > 0 ? asked.names.filter(name => !told.has(name)) : told.size > 0 ? [] : [UNKNOWN];
  const namespace = asked.resource.namespaced ? (asked.namespace ?? UNKNOWN) : undefined;
  return [...rows, ...untold.map((name): Row => ({ ...blind, namespace, name, adoption: UNKNOWN, by: UNKNOWN }))];
}

/** By namespace and name; the host's before those of the members. */
export function inOrder(rows: readonly Row[]): Row[] {
  const key = ({ resource, namespace = "", name, place }: Row): readonly string[] => [
    `${resource.group}/${resource.kind}`,
    namespace,
    name,
    "cluster" in place ? `1${place.cluster}` : "0",
  ];
  return [...rows].sort((a, b) => compare(key(a), key(b)));
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  if (at < 0) return 0;
  return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}

function wantedOf({ resource, names, namespace, selected }: Asked, wanted: WantedObjects): [string, Wanted][] {
  return [...wanted].filter(([key, { manifest }]) => {
    const { metadata } = manifest;
    if (!key.startsWith(`${resource.group}|${resource.kind}|`)) return false;
    if (selected && !selected.has(key)) return false;
    if (namespace !== undefined && resource.namespaced && metadata.namespace !== namespace) return false;
    return names.length === 0 || names.includes(metadata.name);
  });
}

function identityOf(resource: ServedResource, { metadata: { namespace, name } }: KubeObject) {
  return { resource, ...(namespace && { namespace }), name };
}

function workOf({ work: { metadata } }: Wanted): string {
  return `Work ${metadata.namespace}/${metadata.name}`;
}

/** On items of `get -o json`: the member that an object was seen in (Karmada's search has the same). */
const SEEN_IN_ANNOTATION = "resource.karmada.io/cached-from-cluster";
/** On items of `get -o json`: what the column ADOPTION says. */
const ADOPTION_ANNOTATION = "holdfast.dev/adoption";

/** The items of a List: objects as they are, with the place they were seen in; who owns which field only when asked for. */
export function itemOf({ place, object, resource, adoption }: Row, withManagedFields: boolean): KubeObject | undefined {
  if (!object) return undefined;
  const metadata = withManagedFields ? object.metadata : { ...object.metadata, managedFields: undefined };
  const typed = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata };
  if (!("cluster" in place)) return typed;
  const annotations = {
    ...object.metadata.annotations,
    [SEEN_IN_ANNOTATION]: place.cluster,
    ...(adoption && { [ADOPTION_ANNOTATION]: adoption }),
  };
  return { ...typed, metadata: { ...metadata, annotations } };
}
