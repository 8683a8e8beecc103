// How did a template look when its deletion began, if nobody was there to see it?
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";

/** How many writes to a Terminating template are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/** A template at the moment when its deletion was accepted. */
export interface Deletion {
  /** As it was then; its resourceVersion is the deletion's own. */
  readonly template: KubeObject;
  /** `--cascade=orphan`: the collector takes that finalizer off again, the first state still has it. */
  readonly orphaned: boolean;
  /** False when somebody may have written to it since then, and that cannot be read any more. */
  readonly certain: boolean;
}

/**
 * A template's deletion. Its earlier states are read from the API server, one write back at a time, until it was not yet
 * being deleted: the last word accepted before the deletion counts, and none from after it.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function deletionOf(client: Pick<ResourceClient, "list">, template: KubeObject): Promise<Deletion> {
  let state = template;
  for (let step = 0; step < MAX_STEPS; step++) {
    const earlier = await stateBefore(client, state);
    if (earlier === "forgotten") break;
    if (earlier?.metadata.uid !== state.metadata.uid || !earlier?.metadata.deletionTimestamp) return found(state, true);
    state = earlier;
  }
  return found(state, false);
}

/** The deletion that a watch told of as it happened. */
export function witnessedDeletion(template: KubeObject): Deletion {
  return found(template, true);
}

function found(template: KubeObject, certain: boolean): Deletion {
  return { template, orphaned: template.metadata.finalizers?.includes("orphan") ?? false, certain };
}

async function stateBefore(
  client: Pick<ResourceClient, "list">,
  { metadata: { namespace, name, resourceVersion = "" } }: KubeObject,
): Promise<KubeObject | undefined | "forgotten"> {
  if (!/^[1-9]\d*$/.test(resourceVersion)) return "forgotten";
  const revision = String(BigInt(resourceVersion) - 1n);
  const query = { resourceVersion: revision, resourceVersionMatch: "Exact", fieldSelector: `metadata.name=${name}` };
  try {
    return (await client.list(query, namespace)).items[0];
  } catch (error) {
    if (error instanceof KubeError && [400, 410, 504].includes(error.status)) return "forgotten";
    throw error;
  }
}
