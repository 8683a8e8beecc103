// For how long does the oldest Work that is being deleted wait, in each member?
import type { Work } from "../../crds/work.js";
import { clusterOf } from "../domain/names.js";

/** Seconds by member, for members with a Work that is being deleted. Pure; `now` in milliseconds since 1970. */
export function oldestFarewells(works: Iterable<Work>, now: number): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>();
  for (const { metadata } of works) {
    if (!metadata.deletionTimestamp) continue;
    const cluster = clusterOf({ metadata });
    const seconds = Math.max(0, (now - Date.parse(metadata.deletionTimestamp)) / 1000);
    waiting.set(cluster, Math.max(seconds, waiting.get(cluster) ?? 0));
  }
  return waiting;
}
