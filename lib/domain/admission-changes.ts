// Which marks does admission put on an object, so that no replace can lose them?
import { isRecord } from "./json-value.js";

/** What is to be merged into an object (JSON Merge Patch); lists are whole. */
export interface MetadataChanges {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
}

/** The marks an object shall have. */
export interface WantedMarks {
  readonly label: string;
  readonly value: string;
  readonly finalizer?: string;
}

/** Only what is missing or different; `undefined` when the object is as it should be. The object may have any shape. */
export function changesFor(object: unknown, { label, value, finalizer }: WantedMarks): MetadataChanges | undefined {
  const labels = labelOf(object, label) === value ? undefined : { [label]: value };
  const finalizers = finalizer === undefined ? undefined : finalizersWith(object, finalizer);
  if (!labels && !finalizers) return undefined;
  return { metadata: { ...(labels && { labels }), ...(finalizers && { finalizers }) } };
}

/** As `changesFor`, for an object that needs a finalizer and no label. */
export function finalizerFor(object: unknown, finalizer: string): MetadataChanges | undefined {
  const finalizers = finalizersWith(object, finalizer);
  return finalizers && { metadata: { finalizers } };
}

function finalizersWith(object: unknown, finalizer: string): readonly string[] | undefined {
  const metadata = isRecord(object) && isRecord(object["metadata"]) ? object["metadata"] : {};
  const finalizers = Array.isArray(metadata["finalizers"]) ? (metadata["finalizers"] as string[]) : [];
  return finalizers.includes(finalizer) || isDeleting(object) ? undefined : [...finalizers, finalizer];
}

/** The value of a label on an object of any shape. */
export function labelOf(object: unknown, label: string): string | undefined {
  const metadata = isRecord(object) ? object["metadata"] : undefined;
  const labels = isRecord(metadata) ? metadata["labels"] : undefined;
  const value = isRecord(labels) && Object.hasOwn(labels, label) ? labels[label] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Finalizers of an object that is being deleted may only become fewer. */
function isDeleting(object: unknown): boolean {
  const metadata = isRecord(object) ? object["metadata"] : undefined;
  return isRecord(metadata) && Boolean(metadata["deletionTimestamp"]);
}
