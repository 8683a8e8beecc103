// What is wrong with one field of an object, as data. Wording it is the business of lib/domain/field-error.ts.

/** The kinds of mistake Kubernetes itself distinguishes (apimachinery `field.ErrorType`). */
export type FieldErrorKind = "Required" | "Invalid" | "Duplicate" | "NotSupported" | "Forbidden" | "TooMany";

/** One mistake in one field. `path` reads as in a manifest: `spec.overrideRules[0].overriders`. */
export interface FieldError {
  readonly path: string;
  readonly kind: FieldErrorKind;
  /** What was written there; shown to the person, so never put the content of a Secret here. */
  readonly value?: unknown;
  /** The reason and what to do; for `NotSupported` the supported values, already listed. */
  readonly detail: string;
}
