// What was before a migration? Remembered in the plan's directory, and nowhere else.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { stateDirectory } from "./alone.js";
import { STATE_DIRECTORY } from "./layout.js";

const Before = z.object({
  /** `objectKey` of cli/view/adoption. */
  key: z.string(),
  uid: z.string(),
  /** Absent for what can have no Pods. */
  health: z
    .object({
      uid: z.string(),
      pods: z.array(z.object({ uid: z.string(), ready: z.boolean(), restarts: z.number() })).readonly(),
      settled: z.boolean(),
      replicas: z.number().optional(),
    })
    .optional(),
});
/** One object as it was, before anything was done to it. */
export type Before = z.infer<typeof Before>;

const FILE = "before.jsonl";

/** By key: the object that was there last, as it was seen first. A line that a crash cut off is none. */
export function readBefore(dir: string): ReadonlyMap<string, Before> {
  const path = join(dir, STATE_DIRECTORY, FILE);
  const known = new Map<string, Before>();
  for (const line of existsSync(path) ? readFileSync(path, "utf8").split("\n") : []) {
    const before = parsed(line);
    if (before && known.get(before.key)?.uid !== before.uid) known.set(before.key, before);
  }
  return known;
}

function parsed(line: string): Before | undefined {
  try {
    return Before.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Returns when it is on the disk. */
export function remember(dir: string, objects: readonly Before[]): void {
  if (objects.length === 0) return;
  const file = openSync(join(stateDirectory(dir), FILE), "a", 0o600);
  try {
    // A line that a crash cut off must not swallow the next one.
    writeSync(file, `\n${objects.map(before => JSON.stringify(before)).join("\n")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What was before is over: the next migration remembers anew. The last record is kept beside. */
export function forget(dir: string): void {
  const path = join(dir, STATE_DIRECTORY, FILE);
  if (existsSync(path)) renameSync(path, `${path}.last`);
}
