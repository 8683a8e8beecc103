// Which JSON merge patch makes one value of another?
import { isRecord, sameJson } from "../../lib/domain/json-value.js";

/**
 * The RFC 7386 patch from `before` to `after`: only what differs, `null` where a field goes, lists whole. `undefined`
 * when nothing differs. Values themselves must hold no `null`, which a merge patch cannot say.
 */
export function mergePatchOf(before: unknown, after: unknown): Record<string, unknown> | undefined {
  const [from, to] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const changed = Object.entries(to).flatMap(([key, value]) => changeOf(key, from[key], value));
  const gone = Object.keys(from).filter(key => to[key] === undefined && from[key] !== undefined);
  const patch = Object.fromEntries([...changed, ...gone.map(key => [key, null] as const)]);
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function changeOf(key: string, before: unknown, after: unknown): (readonly [string, unknown])[] {
  if (after === undefined || sameJson(before, after)) return [];
  return [[key, isRecord(after) && isRecord(before) ? mergePatchOf(before, after) : after]];
}
