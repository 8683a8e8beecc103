// How a mistake in a field is told to a person at a terminal, in the words that kubectl users know.
import type { z } from "zod";
import type { FieldError, FieldErrorKind } from "../../crds/field-error.js";

export type { FieldError } from "../../crds/field-error.js";

const MAX_VALUE_LENGTH = 120;
const MAX_ERRORS_SHOWN = 20;

const LEAD: Readonly<Record<FieldErrorKind, string>> = {
  Required: "Required value",
  Invalid: "Invalid value",
  Duplicate: "Duplicate value",
  NotSupported: "Unsupported value",
  Forbidden: "Forbidden",
  TooMany: "Too many",
};

/** Builds a `NotSupported` error whose detail lists the values that would have been accepted. */
export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  return { path, kind: "NotSupported", value, detail: `supported values: ${supported.map(quoted).join(", ")}` };
}

/** One line in the form of apimachinery's `field.Error`: `spec.x[0].y: Invalid value: "v": reason; hint`. */
export function formatFieldError(error: FieldError): string {
  const parts = [`${error.path}: ${LEAD[error.kind]}`];
  if (showsValue(error)) parts.push(shown(error.value));
  if (error.detail) parts.push(error.detail);
  return parts.join(": ");
}

/** All mistakes in one message, so that a person fixes them in one go; a long list is cut and says so. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const lines = errors.slice(0, MAX_ERRORS_SHOWN).map(formatFieldError);
  const first = lines[0];
  if (first !== undefined && errors.length === 1) return first;
  const hidden = errors.length - lines.length;
  if (hidden > 0) lines.push(`and ${hidden} more`);
  return `[${lines.join(", ")}]`;
}

/** What a zod parser found, as field errors. `root` is put before every path (for parsers of a part of an object). */
export function fieldErrorsOf(error: z.ZodError, root = ""): FieldError[] {
  return error.issues.map(issue => fieldErrorOf(issue, root));
}

function fieldErrorOf(issue: z.core.$ZodIssue, root: string): FieldError {
  const path = joinPath(root, issue.path);
  if (issue.code === "invalid_value") return notSupported(path, issue.input, issue.values.map(String));
  if (issue.code === "too_big") return { path, kind: "TooMany", value: issue.input, detail: issue.message };
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    return { path, kind: "Required", detail: `must be of type ${issue.expected}` };
  }
  return { path, kind: "Invalid", value: issue.input, detail: issue.message };
}

function joinPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((whole, step) => {
    if (typeof step === "number") return `${whole}[${step}]`;
    return whole === "" ? String(step) : `${whole}.${String(step)}`;
  }, root);
}

function showsValue(error: FieldError): boolean {
  return error.kind !== "Required" && error.kind !== "Forbidden" && error.value !== undefined;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

function quoted(value: string): string {
  return JSON.stringify(value);
}
