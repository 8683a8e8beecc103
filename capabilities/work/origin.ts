// Was an object in the member before us, or did we make it?
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import { gvkOf } from "../../crds/object.js";
import type { ManifestStatus, Work } from "../../crds/work.js";
import type { ConditionStatement } from "../../lib/engine/conditions.js";
import type { Order } from "../../lib/domain/work-word.js";

/** How one incarnation of an object came to be ours. Another uid is another object, and says nothing of this one. */
export interface Origin {
  readonly uid: string;
  readonly origin: "Created" | "Adopted" | "Unknown";
}

/** All that may tell where an object comes from, the surest first. */
export interface OriginEvidence {
  /** What this process has seen itself. */
  readonly witnessed: Origin | undefined;
  /** What the Work has on record. */
  readonly recorded: Origin | undefined;
  /** What is kept of the Work's objects as they were before they were taken over. */
  readonly snapshots: readonly AdoptionSnapshot[];
}

/**
 * Where the object that is there comes from. An object that bears this very Work's mark without any record, after the
 * host was rebuilt or the Work was made again, may be either: `Unknown`.
 */
export function originOf(live: KubeObject, { witnessed, recorded, snapshots }: OriginEvidence): Origin {
  const { uid = "" } = live.metadata;
  if (snapshots.some(({ spec }) => spec.uid === uid)) return { uid, origin: "Adopted" };
  return [witnessed, recorded].find(known => known?.uid === uid && uid !== "") ?? { uid, origin: "Unknown" };
}

/** What becomes of one object. `doubt`: it is kept only because nobody knows where it comes from. */
export interface Fate {
  readonly action: "keep" | "delete";
  readonly doubt?: true;
}

/** What an order means for an object of this origin; in doubt, keep. */
export function fateOf(order: Order, origin: Origin["origin"]): Fate {
  if (order === "delete") return { action: "delete" };
  if (order !== "adopted") return { action: "keep" };
  if (origin === "Unknown") return { action: "keep", doubt: true };
  return { action: origin === "Created" ? "delete" : "keep" };
}

/** What the Work has on record about the object of one of its manifests; a manifest may have changed its place. */
export function recordedOrigin({ status }: Work, manifest: KubeObject): Origin | undefined {
  const { uid, origin } = status?.manifestStatuses?.find(entry => isAbout(entry, manifest)) ?? {};
  return uid && origin ? { uid, origin } : undefined;
}

function isAbout({ identifier }: ManifestStatus, manifest: KubeObject): boolean {
  const { group, kind } = gvkOf(manifest);
  const { namespace, name } = manifest.metadata;
  const isSameKind = (identifier.group ?? "") === group && identifier.kind === kind;
  return isSameKind && identifier.namespace === namespace && identifier.name === name;
}

const WORDS = {
  Adopted: "was there before and was taken over",
  Created: "was made by this Work",
  Unknown: "bore this Work's mark already: whether it was there before is not known",
} as const;

/** The condition `Adopted` of a Work; `undefined` while nothing is known of any of its objects. */
export function adoptedCondition(
  statuses: readonly ManifestStatus[],
  snapshots: readonly AdoptionSnapshot[],
  observedGeneration: number | undefined,
): ConditionStatement | undefined {
  const known = statuses.flatMap(({ identifier, origin, uid }) => (origin ? [{ identifier, origin, uid }] : []));
  const [first] = known;
  if (!first) return undefined;
  const partial = new Set(snapshots.filter(({ spec }) => spec.partial).map(({ spec }) => spec.uid));
  const message = known.map(({ identifier: { kind, name }, origin, uid }) => {
    return `${kind} ${name} ${WORDS[origin]}${partial.has(uid ?? "") ? PARTIAL : ""}`;
  });
  const isUniform = known.every(({ origin }) => origin === first.origin);
  const origin = isUniform ? first.origin : "Mixed";
  return { type: "Adopted", ...VERDICTS[origin], message: message.join("; "), observedGeneration };
}

const PARTIAL = "; it is too large to be kept as it was, so its earlier values cannot be restored";

const VERDICTS = {
  Adopted: { status: "True", reason: "WasThereBefore" },
  Created: { status: "False", reason: "MadeByUs" },
  Unknown: { status: "Unknown", reason: "NoRecord" },
  Mixed: { status: "Unknown", reason: "SomeWereThereBefore" },
} as const;
