// Which pod templates has a workload of a member had, and how is its template on the host brought back to one of them?
import type { KubeObject } from "../../crds/object.js";
import { applyJsonPatch, patchBetween, type PatchOperation } from "../../lib/domain/json-patch.js";
import { isRecord, sameJson, updateAt } from "../../lib/domain/json-value.js";
import { getAt, parsePointer } from "../../lib/domain/json-pointer.js";

/** One entry of a rollout history. */
export interface Revision {
  /** As `kubectl rollout history` counts. */
  readonly number: number;
  readonly podTemplate: unknown;
}

/** Kinds with a rollout history, and the kind that it is kept in. */
export const HISTORIES: Readonly<Record<string, string>> = {
  Deployment: "ReplicaSet",
  StatefulSet: "ControllerRevision",
  DaemonSet: "ControllerRevision",
};

/** The history of a workload, the latest first, from the ReplicaSets or ControllerRevisions of its namespace. */
export function revisionsOf(workload: KubeObject, kept: readonly KubeObject[]): readonly Revision[] {
  const own = kept.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === workload.metadata.uid));
  const revisions = own.flatMap(each =>
    workload.kind === "Deployment" ? ofReplicaSet(each) : ofControllerRevision(each),
  );
  return revisions.toSorted((a, b) => b.number - a.number);
}

/** The one that is asked for, or the one before the latest; `undefined`: there is none. */
export function revisionBefore(revisions: readonly Revision[], wanted: number | undefined): Revision | undefined {
  return wanted === undefined ? revisions[1] : revisions.find(({ number }) => number === wanted);
}

/** What to change in a template, or the place where it is not as in the member. */
export type Undo = { readonly operations: readonly PatchOperation[] } | { readonly differs: string };

/**
 * The step from the member's latest pod template to an earlier one, taken in the host's: what overrides changed in the member
 * stays out of it. A place where the host says something else than the member is no place to step from.
 */
export function undo(hostPodTemplate: unknown, latest: unknown, earlier: unknown): Undo {
  if (!isRecord(latest) || !isRecord(earlier)) return { differs: "/" };
  const steps = patchBetween(latest, earlier);
  for (const step of steps) {
    if (step.op === "add" ? isThere(hostPodTemplate, step.path) : !isSame(hostPodTemplate, latest, step.path)) {
      return { differs: step.path };
    }
  }
  try {
    applyJsonPatch(hostPodTemplate, steps);
  } catch {
    return { differs: steps[0]?.path ?? "/" };
  }
  return { operations: steps.map(step => ({ ...step, path: `/spec/template${step.path}` }) as PatchOperation) };
}

/** An `add` into a list inserts; only a key that is there already is another value. */
function isThere(document: unknown, path: string): boolean {
  return !/\/(\d+|-)$/.test(path) && getAt(document, parsePointer(path)) !== undefined;
}

function isSame(host: unknown, latest: unknown, path: string): boolean {
  const pointer = parsePointer(path);
  return sameJson(getAt(host, pointer), getAt(latest, pointer));
}

function ofReplicaSet({ metadata, ...rest }: KubeObject): Revision[] {
  const number = Number(metadata.annotations?.["deployment.kubernetes.io/revision"]);
  const spec = rest["spec"];
  if (!number || !isRecord(spec)) return [];
  return [
    { number, podTemplate: updateAt(spec["template"], ["metadata", "labels", "pod-template-hash"], () => undefined) },
  ];
}

function ofControllerRevision(revision: KubeObject): Revision[] {
  const number = Number(revision["revision"]);
  const podTemplate = getAt(revision["data"], ["spec", "template"]);
  if (!number || !isRecord(podTemplate)) return [];
  // How the patch is to be merged, and no part of the template.
  const { $patch: _how, ...template } = podTemplate;
  return [{ number, podTemplate: template }];
}
