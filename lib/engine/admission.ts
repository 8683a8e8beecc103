// Turns a verdict about an object into the words of a webhook's answer. Knows nothing of Pepr: its requests fit by shape.
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext, Verdict } from "../domain/admission.js";
import type { MetadataChanges } from "../domain/admission-changes.js";
import { formatFieldErrors } from "../domain/field-error.js";
import { isRecord } from "../domain/json-value.js";
import { messageOf } from "../kube/errors.js";

/** A review of an object that is created or updated, as Pepr hands it over. */
export interface Review {
  readonly Raw: unknown;
  readonly OldResource?: unknown;
}

/** A review whose object may still be changed. */
export interface MutableReview extends Review {
  Merge(changes: never): void;
}

/** A review that is answered with yes or no. */
export interface DecidableReview<Answer> extends Review {
  Approve(warnings?: string[]): Answer;
  Deny(message: string, code?: number, warnings?: string[]): Answer;
}

const INVALID = 422;

/**
 * Answers with everything that is wrong at once, or with the warnings. A validator that throws refuses in words: Pepr would
 * answer with an empty object.
 */
export async function answer<Answer>(
  review: DecidableReview<Answer>,
  validate: (object: KubeObject, context: AdmissionContext) => Verdict | Promise<Verdict>,
  context: AdmissionContext,
): Promise<Answer> {
  try {
    // Parsing edge: the API server has checked the object against the CRD's schema.
    const object = review.Raw as KubeObject;
    const old = review.OldResource as KubeObject | undefined;
    const { errors, warnings } = await validate(object, { ...context, old });
    return errors.length > 0
      ? review.Deny(formatFieldErrors(errors), INVALID, [...warnings])
      : review.Approve([...warnings]);
  } catch (error) {
    return review.Deny(`cannot check the object: ${messageOf(error)}; this is a defect, please report it`, 500);
  }
}

/** A review of a deletion. In deletions of collections and by the namespace controller the request bears no name. */
export interface DeletionReview<Answer> extends DecidableReview<Answer> {
  readonly Request: { readonly options?: unknown };
}

/**
 * Answers a deletion from the object as it was. A judge that throws refuses nothing: a defect of ours must not keep
 * anybody from deleting.
 */
export async function answerDeletion<Answer>(
  review: DeletionReview<Answer>,
  judge: (object: KubeObject, deletion: { readonly orphan: boolean }) => Verdict | Promise<Verdict>,
): Promise<Answer> {
  try {
    const { errors, warnings } = await judge(review.Raw as KubeObject, { orphan: isOrphaning(review.Request.options) });
    return errors.length > 0
      ? review.Deny(formatFieldErrors(errors), INVALID, [...warnings])
      : review.Approve([...warnings]);
  } catch (error) {
    return review.Approve([`cannot tell what becomes of the copies: ${messageOf(error)}`]);
  }
}

/** `orphanDependents` is the old form of `propagationPolicy: Orphan`. */
function isOrphaning(options: unknown): boolean {
  return isRecord(options) && (options["propagationPolicy"] === "Orphan" || options["orphanDependents"] === true);
}

/** Merges what an object lacks into it. */
export function fillIn(
  review: MutableReview,
  defaults: (object: KubeObject, old?: KubeObject) => MetadataChanges | undefined,
): void {
  const changes = defaults(review.Raw as KubeObject, review.OldResource as KubeObject | undefined);
  if (changes) review.Merge(changes as never);
}

/** A review whose object is put in place of another one. */
export interface RewritableReview {
  Raw: unknown;
  readonly OldResource?: unknown;
  readonly Request: { readonly subResource?: string };
}

/** Stores an object otherwise than it came. */
export function rewrite(
  review: RewritableReview,
  change: (object: KubeObject, old: KubeObject | undefined) => KubeObject,
): void {
  review.Raw = change(review.Raw as KubeObject, review.OldResource as KubeObject | undefined);
}
