// Until when does an uninstall wait for deletions that were accepted?
import { LET_GO_FINALIZER } from "../domain/marks.js";
import { titleOf } from "../domain/title.js";
import type { KubeClient } from "../kube/client.js";
import { discover, type ServedResource } from "../kube/discovery.js";
import { pause } from "../kube/pause.js";
import { findHeld, type HeldObject } from "./finalizers.js";
import type { Logger } from "./log.js";

const LOOK_MS = 1_000;
const NAMED = 20;

/**
 * A template that is being deleted gets the order that its people gave, while there is somebody to give it. Every kind is
 * looked through at first and at last; in between, only those that something is still waited for.
 * @param lookMs between two looks
 * @throws what a look throws; when the signal aborts it is told, and no error
 */
export async function letDeletionsFinish(
  client: KubeClient,
  log: Logger,
  signal: AbortSignal,
  lookMs = LOOK_MS,
): Promise<void> {
  try {
    for (;;) {
      const { resources } = await discover(client);
      const { leaving } = await lookThrough(client, resources, signal);
      if (leaving.length === 0) return;
      await untilDecided(leaving);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    log.warn("deletions are left undecided: what they are about stays in members");
  }

  async function untilDecided(first: readonly HeldObject[]): Promise<void> {
    let leaving = first;
    while (leaving.length > 0) {
      log.info("waiting for deletions to be decided", { count: leaving.length, objects: namesOf(leaving) });
      await pause(lookMs, signal);
      signal.throwIfAborted();
      const seen = await lookThrough(client, [...new Set(leaving.map(({ resource }) => resource))], signal);
      // What could not be read is not known to be over.
      if (seen.unread.length === 0) leaving = seen.leaving;
    }
  }
}

interface Look {
  readonly leaving: readonly HeldObject[];
  readonly unread: readonly string[];
}

async function lookThrough(
  client: KubeClient,
  resources: readonly ServedResource[],
  signal: AbortSignal,
): Promise<Look> {
  const { held, unread } = await findHeld(client, resources, signal);
  return { leaving: held.filter(({ metadata }) => isLeaving(metadata)), unread };
}

function isLeaving({ deletionTimestamp, finalizers = [] }: HeldObject["metadata"]): boolean {
  return deletionTimestamp !== undefined && finalizers.includes(LET_GO_FINALIZER);
}

/** The first of some objects, for a line of a log. */
export function namesOf(objects: readonly HeldObject[]): string[] {
  return objects.slice(0, NAMED).map(({ resource, metadata }) => titleOf({ kind: resource.kind, metadata }));
}
