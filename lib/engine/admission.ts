// Turns a verdict about an object into the words of a webhook's answer. Knows nothing of Pepr: its requests fit by shape.
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext, Verdict } from "../domain/admission.js";
import type { MetadataChanges } from "../domain/admission-changes.js";
import { formatFieldErrors } from "../domain/field-error.js";
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
export function answer<Answer>(
  review: DecidableReview<Answer>,
  validate: (object: KubeObject, context: AdmissionContext) => Verdict,
  context: AdmissionContext,
): Answer {
  try {
    // Parsing edge: the API server has checked the object against the CRD's schema.
    const object = review.Raw as KubeObject;
    const { errors, warnings } = validate(object, { ...context, old: review.OldResource as KubeObject | undefined });
    return errors.length > 0
      ? review.Deny(formatFieldErrors(errors), INVALID, [...warnings])
      : review.Approve([...warnings]);
  } catch (error) {
    return review.Deny(`cannot check the object: ${messageOf(error)}; this is a defect, please report it`, 500);
  }
}

/** Merges what an object lacks into it. */
export function fillIn(
  review: MutableReview,
  defaults: (object: KubeObject, old?: KubeObject) => MetadataChanges | undefined,
): void {
  const changes = defaults(review.Raw as KubeObject, review.OldResource as KubeObject | undefined);
  if (changes) review.Merge(changes as never);
}
