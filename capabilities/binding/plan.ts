// What becomes of the copies when a template, or its place, goes: keep or delete, and on whose word.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { LET_GO_FINALIZER, ORDER_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";

/** What to do with the copies of a template in the members. */
export type Order = "keep" | "delete";

/** An order, and what decided it: for the Work, the log and people. */
export interface Decision {
  readonly order: Order;
  readonly source: string;
}

/** What could be read of the policy that a template's marks name. */
export type PolicyReading =
  /** As it was at the revision asked for; `past` when it has been, or may have been, edited since. */
  | { readonly exact: true; readonly found: boolean; readonly preserve: boolean; readonly past?: boolean }
  /** As it is now; `edited` when it is known to have been another one, and what it said then cannot be read any more. */
  | { readonly exact: false; readonly found: boolean; readonly preserve: boolean; readonly edited?: boolean };

/** Everything that decides about one leaving template. */
export interface DecisionInput {
  /** `kubectl delete --cascade=orphan`: seen on the template, or by what the collector did to the binding. */
  readonly orphaned: boolean;
  /** `undefined`: the template bears no claim (its policy is gone, the binding has the last word). */
  readonly policy: PolicyReading | undefined;
  /** What binding or Works carry; `undefined` when there are none. */
  readonly recorded: boolean | undefined;
}

/**
 * The last value that the API server accepted before the deletion decides; where that cannot be known and what can be
 * read differs, keep (design 2, 3).
 */
export function decide({ orphaned, policy, recorded }: DecisionInput): Decision {
  if (orphaned) return { order: "keep", source: "--cascade=orphan" };
  if (!policy?.found) return fromRecord(recorded);
  if (policy.exact) return { order: orderFor(policy.preserve), source: "policy" };
  if (policy.edited)
    return { order: "keep", source: "policy edited since the deletion, and that moment is past reading" };
  if (recorded !== undefined && recorded !== policy.preserve) {
    return { order: "keep", source: "policy and binding differ and the moment of deletion is past reading" };
  }
  return { order: orderFor(policy.preserve), source: "policy, read after the deletion" };
}

function fromRecord(recorded: boolean | undefined): Decision {
  if (recorded === undefined) return { order: "keep", source: "nothing says that it may go" };
  return { order: orderFor(recorded), source: "binding" };
}

const orderFor = (preserve: boolean): Order => (preserve ? "keep" : "delete");

/** What binding and Works have on record about keeping: the binding's word, else a Work's; any that says keep wins. */
export function recordedPreserve(binding: AnyBinding | undefined, works: readonly Work[]): boolean | undefined {
  if (binding) return binding.spec.preserveResourcesOnDeletion ?? false;
  if (works.length === 0) return undefined;
  return works.some(work => work.spec.preserveResourcesOnDeletion ?? false);
}

/**
 * True when the garbage collector has orphaned the binding: it takes owner references away only for `--cascade=orphan`.
 * So the wish is known even when we were not there to see the template's finalizer.
 */
export function wasOrphaned(template: KubeObject, binding: AnyBinding | undefined): boolean {
  if (template.metadata.finalizers?.includes("orphan")) return true;
  if (!binding || binding.spec.resource.uid !== template.metadata.uid) return false;
  return !(binding.metadata.ownerReferences ?? []).some(owner => owner.uid === template.metadata.uid);
}

/** The Work with its order; the same object when it says so already. */
export function withOrder(work: Work, { order, source }: Decision, explicit: boolean): Work {
  const preserve = order === "keep";
  const says = work.spec.preserveResourcesOnDeletion ?? false;
  const annotation = work.metadata.annotations?.[ORDER_ANNOTATION];
  if (says === preserve && (!explicit || annotation === order)) return work;
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
    spec: { ...work.spec, preserveResourcesOnDeletion: preserve },
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
