// What becomes of the copies when a template, or its place, goes: keep or delete, and on whose word.
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import { LET_GO_FINALIZER, ORDER_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { cascadeFields, cascadeFor, cascadeOfWork, orderFor, type Order } from "../../lib/domain/work-word.js";
import type { AnyBinding } from "../../lib/kube/host.js";

/** An order, and what decided it: for the Work, the log and people. */
export interface Decision {
  readonly order: Order;
  readonly source: string;
}

/** The orders of one template, by cluster. */
export type Decisions = (cluster: string) => Decision;

/** How far what was read is as it was when the template's deletion was accepted. */
export type Certainty =
  /** As it was then. */
  | "exact"
  /** As it is now; nothing tells that it was otherwise. */
  | "late"
  /** As it is now, and it is known to have been another one: what it said then cannot be read any more. */
  | "edited";

/** Everything that decides about one leaving copy. */
export interface DecisionInput {
  /** `kubectl delete --cascade=orphan`. */
  readonly orphaned: boolean;
  /** What the rules say; `undefined`: there is none, not even a record. */
  readonly word: ClusterDeletion | undefined;
  /** What binding or Works carry; `undefined` when there are none. */
  readonly recorded: Cascade | undefined;
  readonly certainty: Certainty;
}

/**
 * The last value that the API server accepted before the deletion decides; where that cannot be known and what can be
 * read differs, keep (design 2, 3).
 */
export function decide({ orphaned, word, recorded, certainty }: DecisionInput): Decision {
  if (orphaned) return { order: "keep", source: "--cascade=orphan" };
  if (!word) return { order: "keep", source: "nothing says that it may go" };
  const { cascadeDeletion, decidedBy } = word;
  if (certainty === "edited") {
    return { order: "keep", source: `${decidedBy}, edited since the deletion, and that moment is past reading` };
  }
  if (certainty === "late" && recorded !== undefined && recorded !== cascadeDeletion) {
    return { order: "keep", source: `${decidedBy} and the binding differ, and the moment of deletion is past reading` };
  }
  return { order: orderFor(cascadeDeletion), source: certainty === "late" ? `${decidedBy}, read late` : decidedBy };
}

/**
 * What binding and Works have on record about a cluster: the binding's word, else the word of the Work there, else what any
 * Work says, where keep wins.
 */
export function recordedCascade(
  binding: AnyBinding | undefined,
  works: readonly Work[],
  cluster: string,
): Cascade | undefined {
  if (binding) return recordedWord(binding.spec, cluster, "").cascadeDeletion;
  const own = works.find(({ metadata }) => metadata.namespace === executionNamespace(cluster));
  if (own) return cascadeOfWork(own);
  if (works.length === 0) return undefined;
  return works.some(work => cascadeOfWork(work) !== "background") ? "orphan" : "background";
}

/**
 * True when the garbage collector has orphaned the binding: it takes owner references away only for `--cascade=orphan`.
 * So the wish is known even when the template's own history is past reading. Somebody may have edited them, too.
 */
export function wasOrphaned(template: KubeObject, binding: AnyBinding | undefined): boolean {
  if (template.metadata.finalizers?.includes("orphan")) return true;
  if (!binding || binding.spec.resource.uid !== template.metadata.uid) return false;
  return !(binding.metadata.ownerReferences ?? []).some(owner => owner.uid === template.metadata.uid);
}

/** The Work with its order; the same object when it says so already. */
export function withOrder(work: Work, { order, source }: Decision, explicit: boolean): Work {
  const annotation = work.metadata.annotations?.[ORDER_ANNOTATION];
  if (orderFor(cascadeOfWork(work)) === order && (!explicit || annotation === order)) return work;
  return {
    ...work,
    metadata: {
      ...work.metadata,
      annotations: {
        ...work.metadata.annotations,
        [ORDER_ANNOTATION]: order,
        [`${ORDER_ANNOTATION}-source`]: source,
      },
    },
    spec: { ...work.spec, ...cascadeFields(cascadeFor(order)) },
  };
}

/** What the Work was told by a decision that still stands: it is not decided twice. */
export const isOrdered = (work: Work): boolean => work.metadata.annotations?.[ORDER_ANNOTATION] !== undefined;

/**
 * True when a Terminating Work has been decided about already: by an order, or as part of another object that bore the
 * template's name and has left. It may wait long for its cluster; what is said meanwhile comes too late for it (design 3).
 */
export function isDecided(work: Work, templateUid: string | undefined): boolean {
  if (!work.metadata.deletionTimestamp) return false;
  return isOrdered(work) || work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION] !== templateUid;
}

/**
 * The Works that a template which leaves decides about. One that another decision sent away already joins only to be kept,
 * where the template wanted its place: in doubt, keep.
 */
export function worksToOrder(
  works: readonly Work[],
  templateUid: string | undefined,
  keptIn: readonly string[],
): Work[] {
  return works.filter(work => !isDecided(work, templateUid) || keptIn.includes(work.metadata.namespace ?? ""));
}

/**
 * True when somebody may have written to a Terminating object after its deletion, so that its revision is not that of the
 * deletion. Times have whole seconds: the same second counts. Where there is no record of writes, nobody knows.
 */
export function mayBeWrittenSinceDeletion({ metadata }: KubeObject): boolean {
  const { deletionTimestamp = "", deletionGracePeriodSeconds, managedFields = [] } = metadata;
  const grace = typeof deletionGracePeriodSeconds === "number" ? deletionGracePeriodSeconds : 0;
  const deleted = Date.parse(deletionTimestamp) - grace * 1_000;
  if (managedFields.length === 0) return true;
  return managedFields.some(({ time }) => time === undefined || Date.parse(time) >= deleted);
}

/** True while the template still holds itself for us: the decision has not been carried out yet. */
export const holdsForUs = (template: KubeObject): boolean =>
  template.metadata.finalizers?.includes(LET_GO_FINALIZER) ?? false;
