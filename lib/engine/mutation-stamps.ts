// How does a mutating webhook leave no note of its own on what it was shown? Pepr writes one on each object; its hook shows us
// the answer before it is sent.
import type { Operation } from "fast-json-patch";
import { isRecord } from "../domain/json-value.js";

/** As much of Pepr's answer as is completed here: a JSON patch, in base64. */
export interface PatchingAnswer {
  patch?: string;
  patchType?: string;
}

const ANNOTATIONS = "/metadata/annotations";

/**
 * Takes the annotation `<uuid>.pepr.dev/<capability>` out of an answer. It says only that the webhook was asked, and whoever
 * compares the object with Git, or copies it, would have to know that. An answer that holds nothing else is none.
 */
export function dropStamps(answer: PatchingAnswer, uuid: string): void {
  if (answer.patch === undefined) return;
  const isStamp = (key: string): boolean => key.startsWith(`${uuid}.pepr.dev/`);
  const before = JSON.parse(Buffer.from(answer.patch, "base64").toString()) as Operation[];
  const after = before.flatMap(operation => withoutStamps(operation, isStamp));
  if (after.length === 0) {
    delete answer.patch;
    delete answer.patchType;
  } else answer.patch = Buffer.from(JSON.stringify(after)).toString("base64");
}

function withoutStamps(operation: Operation, isStamp: (key: string) => boolean): readonly Operation[] {
  const { op, path } = operation;
  if (op !== "add" && op !== "replace") return [operation];
  if (path.startsWith(`${ANNOTATIONS}/`)) return isStamp(keyIn(path)) ? [] : [operation];
  if (path !== ANNOTATIONS || !isRecord(operation.value)) return [operation];
  const kept = Object.entries(operation.value).filter(([key]) => !isStamp(key));
  return kept.length > 0 ? [{ ...operation, value: Object.fromEntries(kept) }] : [];
}

/** The last part of a JSON pointer (RFC 6901). */
function keyIn(path: string): string {
  const part = path.slice(path.lastIndexOf("/") + 1);
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
