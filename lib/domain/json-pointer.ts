// Which place in a JSON document does a pointer name?
import { isRecord, ownValue } from "./json-value.js";

/** A string that is no RFC 6901 pointer. The message says what is wrong and what to write instead. */
export class JsonPointerError extends Error {
  constructor(
    readonly pointer: string,
    reason: string,
  ) {
    super(`${JSON.stringify(pointer)} is not a JSON pointer: ${reason}`);
    this.name = "JsonPointerError";
  }
}

/**
 * Splits a pointer into its unescaped tokens; the empty pointer names the whole document and gives `[]`.
 * Rules: RFC 6901, section 3. Throws {@link JsonPointerError}.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new JsonPointerError(pointer, `write ${JSON.stringify(`/${pointer}`)}`);
  if (/~(?![01])/.test(pointer)) {
    throw new JsonPointerError(pointer, "a ~ inside a key is written ~0, and a / inside a key ~1");
  }
  return pointer.slice(1).split("/").map(unescapeToken);
}

/** Joins tokens to a pointer, escaping `~` and `/` in each. The inverse of {@link parsePointer}. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map(token => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The value at `pointer` (text or tokens), or `undefined` when there is none. List items are named by their index
 * without leading zeros; `-` names no existing item. Throws {@link JsonPointerError} for text that is no pointer.
 */
export function getAt(document: unknown, pointer: string | readonly string[]): unknown {
  const tokens = typeof pointer === "string" ? parsePointer(pointer) : pointer;
  return tokens.reduce<unknown>(step, document);
}

function step(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? (value as unknown[])[Number(token)] : undefined;
  return isRecord(value) ? ownValue(value, token) : undefined;
}

// `~1` first: the other way round `~01` would become `/`.
function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
