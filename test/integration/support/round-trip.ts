// How does the round trip read objects of a member, compare them, and take them through Holdfast?
import { vi } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../../crds/object.js";
import { gvkOf } from "../../../crds/object.js";
import type { Work } from "../../../crds/work.js";
import {
  difference,
  formatFields,
  isEmpty,
  NO_FIELDS,
  parseFields,
  type FieldNode,
} from "../../../lib/domain/field-tree.js";
import { isRecord, withoutKeys } from "../../../lib/domain/json-value.js";
import { executionNamespace, workName } from "../../../lib/domain/names.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { kubectl, type Side } from "./case-kubectl.js";
import type { Change } from "./round-trip-objects.js";

/** Anything of this or an older control plane, wherever it stands in metadata. */
export const MARK = /karmada|kubefed|holdfast|pepr/;

/** What kubectl says, or an error with its words. */
export async function told(side: Side, args: readonly string[], input?: string): Promise<string> {
  const { code, text } = await kubectl(side, args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${text}`);
  return text;
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { group, version } = gvkOf({ apiVersion, kind });
  return `${kind}${group ? `.${version}.${group}` : ""}/${metadata.name}`;
}

/** Several objects as one text for kubectl. */
export function yaml(objects: readonly KubeObject[]): string {
  return objects.map(object => JSON.stringify(object)).join("\n---\n");
}

/** The objects as they are now, in the order asked for. @throws when one is missing */
export async function readAll(side: Side, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const text = await told(side, ["get", "-f", "-", "-o", "json", "--show-managed-fields"], yaml(objects));
  return (JSON.parse(text) as { readonly items: readonly KubeObject[] }).items;
}

/** Waits until nobody writes to the objects any more. */
export async function still(side: Side, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const versions = (list: readonly KubeObject[]) => list.map(({ metadata }) => metadata.resourceVersion).join(" ");
  let last = await readAll(side, objects);
  await vi.waitFor(
    async () => {
      const before = versions(last);
      await new Promise(resolve => setTimeout(resolve, 1_500));
      last = await readAll(side, objects);
      if (versions(last) !== before) throw new Error("somebody still writes");
    },
    { timeout: 60_000, interval: 10 },
  );
  return last;
}

/** How often a member's controllers have rolled something out. */
export const COUNTERS = ["deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"];

/** All that a round trip leaves as it was: counters of servers, times of ownership and `change` itself apart. */
export function comparable(object: KubeObject, change?: Change): unknown {
  const { managedFields = [], annotations = {}, ...metadata } = object.metadata;
  const notes = change ? withoutKeys(annotations, key => COUNTERS.includes(key)) : annotations;
  const generation = change ? undefined : metadata.generation;
  // An autoscaler writes its status every 15 s, whatever happens.
  const isReported = !change && object.kind !== "HorizontalPodAutoscaler";
  const entries = managedFields.filter(entry => isReported || entry.subresource !== "status");
  const owners = ownersIn(entries, change ? parseFields(nested(change.fields)) : NO_FIELDS);
  return {
    ...object,
    status: isReported ? object["status"] : undefined,
    metadata: { ...metadata, generation, resourceVersion: undefined, annotations: notes, owners },
  };
}

/** Who owns what, as lines that can be compared; `apart` is left out, and so is who owns nothing else. */
export function ownersIn(entries: readonly ManagedFieldsEntry[], apart: FieldNode): readonly string[] {
  const lines = entries.flatMap(({ manager, operation, subresource = "", fieldsV1 }) => {
    const left = difference(parseFields(fieldsV1), apart);
    return isEmpty(left)
      ? []
      : [`${manager} ${operation} ${subresource} ${JSON.stringify(sorted(formatFields(left)))}`];
  });
  return lines.sort();
}

function sorted(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  );
}

function nested(path: readonly string[]): Record<string, unknown> {
  return path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), {});
}

/** The Works of the objects in a member; `undefined` where there is none. */
export async function worksOf(objects: readonly KubeObject[], member: string): Promise<(Work | undefined)[]> {
  const text = await told("host", ["get", "works", "-n", executionNamespace(member), "-o", "json"]);
  const { items } = JSON.parse(text) as { readonly items: readonly Work[] };
  const byName = new Map(items.map(work => [work.metadata.name, work]));
  return objects.map(object => {
    const { namespace, name } = object.metadata;
    return byName.get(workName({ kind: object.kind, namespace, name }));
  });
}

/** Waits until every object is applied, as its Work says. */
export async function allApplied(objects: readonly KubeObject[], member: string): Promise<Work[]> {
  let all: (Work | undefined)[] = [];
  await vi.waitFor(
    async () => {
      all = await worksOf(objects, member);
      const missing = objects.filter((_, index) => conditionOf(all[index], "Applied")?.status !== "True");
      const whys = missing.map(object => conditionOf(all[objects.indexOf(object)], "Applied")?.message);
      if (missing.length > 0)
        throw new Error(`not applied: ${missing.map((o, i) => `${nameOf(o)} ${whys[i]}`).join("; ")}`);
    },
    { timeout: 60_000, interval: 300 },
  );
  return all.filter(work => work !== undefined);
}

/** Waits until no Work of the objects is left. */
export async function allReleased(objects: readonly KubeObject[], member: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const left = (await worksOf(objects, member)).filter(work => work !== undefined);
      if (left.length > 0)
        throw new Error(
          `still there: ${JSON.stringify(left.map(work => [work.metadata.name, work.status?.conditions]))}`,
        );
    },
    { timeout: 60_000, interval: 300 },
  );
}

/** What controllers have made of the objects in a namespace: nothing of ours may be in it either. */
export async function descendants(side: Side, namespace: string): Promise<readonly KubeObject[]> {
  const kinds = "replicasets,controllerrevisions,endpoints,endpointslices,pods";
  const text = await told(side, ["get", kinds, "-n", namespace, "-o", "json", "--show-managed-fields"]);
  // The server warns that Endpoints are deprecated, and kubectl says so beside its answer.
  return (JSON.parse(text.replace(/^Warning: .*$/gm, "")) as { readonly items: readonly KubeObject[] }).items;
}
