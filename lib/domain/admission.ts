// What does admission know about the world, and what does it answer?
import type { KubeObject } from "../../crds/object.js";
import type { FieldError } from "./field-error.js";
import type { Propagated } from "./propagated.js";

/** What validators may look at besides the object. Everything is optional: what is not known gives no message. */
export interface AdmissionContext {
  /** The object as it was; absent on CREATE. */
  readonly old?: KubeObject;
  /** Names of all Cluster objects. */
  readonly knownClusters?: ReadonlySet<string>;
  /** Whether this cluster serves a kind; `undefined` when discovery has not answered. */
  readonly kindExists?: (apiVersion: string, kind: string) => boolean | undefined;
  /** Whether objects of a kind live in namespaces; `undefined` for a kind that is not known. */
  readonly isNamespaced?: (apiVersion: string, kind: string) => boolean | undefined;
  /** What is in the clusters; absent until all of it has been read once. */
  readonly propagated?: Propagated;
  /** The namespace the operator was installed in. */
  readonly ownNamespace?: string;
}

/** What is surely broken, and what is only unwise. */
export interface Verdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Nothing to say. */
export const FINE: Verdict = { errors: [], warnings: [] };

/** The API server may cut a warning that is longer (RFC 7234 header, kube-apiserver's own advice). */
export const MAX_WARNING_LENGTH = 120;

/** All of it together: a person mends everything in one go. */
export function together(verdicts: readonly Verdict[]): Verdict {
  return {
    errors: verdicts.flatMap(verdict => verdict.errors),
    warnings: [...new Set(verdicts.flatMap(verdict => verdict.warnings))],
  };
}

/** A verdict of errors only. */
export function refuse(errors: readonly FieldError[]): Verdict {
  return errors.length === 0 ? FINE : { errors, warnings: [] };
}

/** A verdict of one warning: one line, cut where the API server would cut it. */
export function warn(text: string): Verdict {
  const line = text.replace(/\s+/g, " ");
  return {
    errors: [],
    warnings: [line.length <= MAX_WARNING_LENGTH ? line : `${line.slice(0, MAX_WARNING_LENGTH - 1)}…`],
  };
}

/** A warning for a field, when the condition holds. */
export function warnIf(condition: boolean, text: string): Verdict {
  return condition ? warn(text) : FINE;
}

/** An error, when the condition holds. */
export function refuseIf(condition: boolean, error: FieldError): Verdict {
  return condition ? refuse([error]) : FINE;
}
