// May an override change what this JSON pointer names, and does the pointer name what its author meant?
import type { FieldError } from "../../lib/domain/field-error.js";
import { formatPointer, JsonPointerError, parsePointer } from "../../lib/domain/json-pointer.js";
import { MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";

/** Fields of metadata that name the object, or that only an API server or the operator writes. */
const FIXED_METADATA: ReadonlySet<string> = new Set([
  ...["name", "namespace", "generateName", "uid", "resourceVersion", "generation", "selfLink", "managedFields"],
  ...["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences"],
]);

/** Labels by which an object in a member is known as ours. */
export const OWN_MARKS: readonly string[] = [MANAGED_LABEL, WORK_ID_LABEL];

const SLASH_RULE = "a slash inside a key is written ~1";

/** Every mistake in the pointer `text` that stands at `path`. */
export function pointerErrors(text: string, path: string): FieldError[] {
  const tokens = tokensOf(text);
  if (tokens instanceof JsonPointerError) {
    return [{ path, kind: "Invalid", value: text, detail: `not a JSON pointer; ${hintFor(text)}` }];
  }
  const fixed = whyFixed(tokens);
  if (fixed)
    return [{ path, kind: "Forbidden", detail: `${text || "the whole object"} cannot be overridden: ${fixed}` }];
  const meant = unescapedKey(tokens);
  if (!meant) return [];
  const rule = text.includes('"') ? "a key is written without quotes, and a slash inside it as ~1" : SLASH_RULE;
  const detail = `${rule}; write ${meant}`;
  return [{ path, kind: "Invalid", value: text, detail }];
}

function tokensOf(text: string): readonly string[] | JsonPointerError {
  try {
    return parsePointer(text);
  } catch (error) {
    if (error instanceof JsonPointerError) return error;
    throw error;
  }
}

function hintFor(text: string): string {
  if (text.startsWith("/")) return "a ~ inside a key is written ~0, and a slash ~1";
  const plain = text.replace(/^\$?\.?/, "");
  // `spec.template.spec` is how other tools write it; a key with dots of its own stays whole behind a slash.
  const tokens = plain.includes("/") ? plain.split("/") : plain.replace(/\[(\d+)\]/g, ".$1").split(".");
  return `write ${formatPointer(tokens)}`;
}

const FIXED_ROOTS: Readonly<Record<string, string>> = {
  apiVersion: "it says which object this is",
  kind: "it says which object this is",
  status: "status comes from the cluster",
};

function whyFixed([first, ...rest]: readonly string[]): string | undefined {
  if (first === undefined) return "write a pointer to one field";
  return first === "metadata" ? whyFixedMetadata(rest) : FIXED_ROOTS[first];
}

function whyFixedMetadata([field, key, ...deeper]: readonly string[]): string | undefined {
  if (field === undefined) return "write a pointer to one label or annotation";
  if (FIXED_METADATA.has(field)) return "it says which object this is, or is the API server's own";
  const isMark = field === "labels" && deeper.length === 0 && key !== undefined && OWN_MARKS.includes(key);
  return isMark ? "this label is how the object is known in the cluster" : undefined;
}

/** The pointer that was meant, when a key of a map of labels or annotations fell apart at its slash, or was quoted. */
function unescapedKey(tokens: readonly string[]): string | undefined {
  const map = tokens.findIndex((token, index) => isStringMap(token, tokens[index - 1], tokens[index + 1]));
  const rest = map < 0 ? [] : tokens.slice(map + 1);
  const written = rest.join("/");
  const key = written.replace(/^"(.*)"$/, "$1");
  if (rest.length < 2 && key === written) return undefined;
  return formatPointer([...tokens.slice(0, map + 1), key]);
}

function isStringMap(token: string, before: string | undefined, after: string | undefined): boolean {
  if (token === "labels" || token === "annotations") return before === "metadata";
  // Custom resources have deeper fields of these names; only a domain says that a label key was meant.
  return (token === "nodeSelector" || token === "matchLabels") && after !== undefined && after.includes(".");
}
