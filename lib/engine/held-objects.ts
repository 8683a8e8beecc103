// What stands in a namespace that an ordinary host would run, if it did not hold it? Read at the moment when it counts.
import { HELD_KINDS } from "../domain/held-kinds.js";
import type { KubeClient } from "../kube/client.js";
import { findLabelled, type Labelled } from "../kube/labelled.js";

/** Half of what the API server gives the webhook of namespaces, milliseconds. */
const READING_MS = 2_500;

/** Asks the server, one list for each kind: a namespace gets or loses its label seldom. */
export function heldObjects(client: KubeClient): (namespace: string) => Promise<Labelled> {
  const kinds = HELD_KINDS.filter(({ starts }) => starts).map(({ group, version, kind, plural }) => ({
    ...{ group, version, kind, plural },
    namespaced: true,
  }));
  return namespace => findLabelled(client, kinds, { namespace, signal: AbortSignal.timeout(READING_MS) });
}
