// What to do with one member object, so that it is as its Work says.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { covers, project, stableHash } from "../../lib/domain/drift.js";
import { FIELD_MANAGER, MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";
import { mayTakeOver } from "../../lib/domain/presence.js";

/** What we know of an object since we last applied it. */
export interface AppliedRecord {
  readonly uid: string | undefined;
  /** Hash of what was applied. */
  readonly manifest: string;
  /** Hash of what the server made of it, seen through the manifest's fields. */
  readonly projection: string;
}

/** The mark that a Work puts on its objects: by it a rebuilt host knows its own (design 4). */
export function idOf(work: Work): string {
  return workPermanentId(work.metadata.namespace ?? "", work.metadata.name);
}

/** The manifest as it is applied: with our two labels, and nothing else of ours. */
export function withMarks(manifest: KubeObject, work: Work): KubeObject {
  const labels = { ...manifest.metadata.labels, [MANAGED_LABEL]: "true", [WORK_ID_LABEL]: idOf(work) };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** True when the object bears this Work's id. Its label alone would prove nothing: others inherit labels. */
export function isOurs(live: KubeObject, work: Work): boolean {
  return live.metadata.labels?.[WORK_ID_LABEL] === idOf(work);
}

/** Remembers what the server made of an apply: values may come back normalised. */
export function recordOf(manifest: KubeObject, live: KubeObject): AppliedRecord {
  return {
    uid: live.metadata.uid,
    manifest: stableHash(manifest),
    projection: stableHash(project(live, manifest)),
  };
}

/**
 * True when the object needs no apply. With a record: nothing that we apply has changed on either side. Without one, after
 * a restart: the Work says that this generation was applied, and everything in the manifest is so in the object.
 */
export function inStep(
  manifest: KubeObject,
  live: KubeObject,
  record: AppliedRecord | undefined,
  appliedBefore: boolean,
): boolean {
  if (record?.uid === live.metadata.uid && record?.manifest === stableHash(manifest)) {
    return stableHash(project(live, manifest)) === record.projection;
  }
  return record === undefined && appliedBefore && covers(live, manifest);
}

/** What may be done about an object that is there and is not ours. */
export type Adoption = { readonly action: "adopt" } | { readonly action: "refuse"; readonly why: string };

/** `Abort` looks at existence, not at values: what was there before us is never ours by accident (design 6). */
export function planAdoption(work: Work, manifest: KubeObject, live: KubeObject, heldBy: string | undefined): Adoption {
  if (heldBy) return { action: "refuse", why: `it belongs to Work ${heldBy}` };
  if (mayTakeOver(work)) return { action: "adopt" };
  // An entry of ours on an object that is not ours is what a release leaves: it owns nothing.
  const others = (live.metadata.managedFields ?? []).map(e => e.manager).filter(m => m && m !== FIELD_MANAGER);
  const managers = [...new Set(others)];
  const who = managers.length > 0 ? ` (managed by ${managers.join(", ")})` : "";
  const differing = differences(live, manifest).slice(0, 5);
  const what = differing.length > 0 ? `; taking it over would change ${differing.join(", ")}` : "";
  return {
    action: "refuse",
    why: `it already exists${who} and conflictResolution is Abort${what}. Set conflictResolution: Overwrite in the policy to take it over, or remove it there`,
  };
}

/** The fields of the manifest that are otherwise in the object, two levels deep. */
function differences(live: KubeObject, manifest: KubeObject): string[] {
  return Object.keys(manifest)
    .filter(field => !["apiVersion", "kind", "metadata"].includes(field))
    .flatMap(field => {
      const [wanted, present] = [manifest[field], live[field]];
      if (covers(present, wanted)) return [];
      if (!isObject(wanted) || !isObject(present)) return [field];
      return Object.keys(wanted)
        .filter(key => !covers(present[key], wanted[key]))
        .map(key => `${field}.${key}`);
    });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The fields that an older member does not know, from its refusal of a server-side apply: as paths such as
 * `.spec.template.spec.containers[name="c"].restartPolicy`.
 */
export function unknownFields(message: string): string[] {
  return [...message.matchAll(/(\.[^\s:]+(?:\[[^\]]*\][^\s:]*)*): field not declared in schema/g)].flatMap(
    m => m[1] ?? [],
  );
}

/** The manifest without the field at such a path; the same object when there is no such field. */
export function withoutField(manifest: KubeObject, path: string): KubeObject {
  return removeAt(manifest, parsePath(path)) as KubeObject;
}

type Step =
  | { readonly field: string }
  | { readonly keys: Readonly<Record<string, unknown>> }
  | { readonly index: number };

function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  for (const [, field, bracket] of path.matchAll(/\.([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (field !== undefined) steps.push({ field });
    else if (/^\d+$/.test(bracket ?? "")) steps.push({ index: Number(bracket) });
    else steps.push({ keys: parseKeys(bracket ?? "") });
  }
  return steps;
}

function parseKeys(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, JSON.parse(value) as unknown]));
}

function removeAt(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (!step) return value;
  if ("field" in step) {
    if (!isObject(value) || !(step.field in value)) return value;
    const { [step.field]: child, ...others } = value;
    return rest.length === 0 ? others : { ...others, [step.field]: removeAt(child, rest) };
  }
  if (!Array.isArray(value)) return value;
  const items: readonly unknown[] = value;
  return items.map((item, i) => (isMeant(item, i, step) ? removeAt(item, rest) : item));
}

function isMeant(item: unknown, index: number, step: Exclude<Step, { readonly field: string }>): boolean {
  if ("index" in step) return step.index === index;
  return isObject(item) && Object.entries(step.keys).every(([key, value]) => item[key] === value);
}
