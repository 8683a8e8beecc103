// What does a document look like after an RFC 6902 patch?
import jsonpatch from "fast-json-patch";
import { getAt, parsePointer } from "./json-pointer.js";
import { isRecord } from "./json-value.js";

/** One RFC 6902 operation. */
export type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

/** An operation that could not be applied. `index` is its place in the patch; the message names its path. */
export class JsonPatchError extends Error {
  constructor(
    readonly index: number,
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`path ${JSON.stringify(path)}: ${reason}`, options);
    this.name = "JsonPatchError";
  }
}

/**
 * Applies `operations` in order and returns the patched copy; the input is never changed and shares nothing with the
 * result. All or nothing: throws {@link JsonPatchError} for the first operation that does not fit (RFC 6902, section 5).
 */
export function applyJsonPatch<T>(document: T, operations: readonly PatchOperation[]): T {
  let result: unknown = structuredClone(document);
  for (const [index, operation] of operations.entries()) result = applyOne(result, operation, index);
  return result as T;
}

/** The operations that make `to` of `from`; none when they are equal. */
export function patchBetween(from: object, to: object): readonly PatchOperation[] {
  // It writes add, remove and replace alone.
  return jsonpatch.compare(from, to) as readonly PatchOperation[];
}

function applyOne(document: unknown, operation: PatchOperation, index: number): unknown {
  try {
    const misfit = whyNotApplicable(document, operation);
    if (misfit) throw new Error(misfit);
    const copy: jsonpatch.Operation = structuredClone(operation);
    return jsonpatch.applyOperation(document, copy, true, true, true).newDocument;
  } catch (cause) {
    throw new JsonPatchError(index, operation.path, reasonOf(cause), { cause });
  }
}

// fast-json-patch takes `01` for an index and sees inherited fields such as toString: the places are checked here.
function whyNotApplicable(document: unknown, operation: PatchOperation): string | undefined {
  switch (operation.op) {
    case "add":
      return whyNotAddable(document, operation.path);
    case "replace":
      return whyNotThere(document, operation.path, "; use add to create it, or correct the path");
    case "remove":
    case "test":
      return whyNotThere(document, operation.path);
    case "move":
      if (operation.path.startsWith(`${operation.from}/`)) return `cannot move ${operation.from} into itself`;
      return whyNotThere(document, operation.from) ?? whyNotAddable(document, operation.path);
    case "copy":
      return whyNotThere(document, operation.from) ?? whyNotAddable(document, operation.path);
  }
}

function whyNotThere(document: unknown, pointer: string, advice = ""): string | undefined {
  return getAt(document, pointer) === undefined ? `there is no field ${pointer}${advice}` : undefined;
}

function whyNotAddable(document: unknown, pointer: string): string | undefined {
  const tokens = parsePointer(pointer);
  const last = tokens.pop();
  if (last === undefined) return undefined;

  const parent = getAt(document, tokens);
  const parentPath = pointer.slice(0, pointer.lastIndexOf("/"));
  if (Array.isArray(parent)) return whyNoIndex(last, parent.length);
  if (isRecord(parent)) return last === "__proto__" ? "no field can be called __proto__" : undefined;
  if (parent === undefined) return `${parentPath} does not exist; add that first, or correct the path`;
  return `${parentPath} is neither an object nor a list, so nothing can be added to it`;
}

function whyNoIndex(token: string, length: number): string | undefined {
  if (token === "-") return undefined;
  if (!/^(0|[1-9]\d*)$/.test(token)) return `"${token}" is no index of a list; write a number, or - for its end`;
  return Number(token) > length ? `the list has only ${length} item(s); write - to add at its end` : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  OPERATION_OP_INVALID: "the operation is none of add, remove, replace, move, copy, test",
  OPERATION_PATH_INVALID: "the path is missing",
  OPERATION_FROM_REQUIRED: "the operation needs a from",
  OPERATION_VALUE_REQUIRED: "the operation needs a value",
  TEST_OPERATION_FAILED: "the value there is another one than the test expects",
};

function reasonOf(cause: unknown): string {
  if (cause instanceof jsonpatch.JsonPatchError) return REASONS[cause.name] ?? cause.name;
  return cause instanceof Error ? cause.message : String(cause);
}
