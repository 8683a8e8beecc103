// How did a template look when its deletion began, if nobody was there to see it?
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";

/** How many writes to a Terminating template are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/**
 * Whether a Terminating template was deleted with `--cascade=orphan`. The collector takes that finalizer off again, so the
 * template's earlier states are read from the API server, one write back at a time, until it was not yet being deleted.
 * `undefined` when the server has no history that far: then other signs have to do.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function wasOrphanDeletion(
  client: Pick<ResourceClient, "list">,
  template: KubeObject,
): Promise<boolean | undefined> {
  let state = template;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (state.metadata.finalizers?.includes("orphan")) return true;
    const earlier = await stateBefore(client, state);
    if (earlier === "forgotten") return undefined;
    if (earlier?.metadata.uid !== state.metadata.uid || !earlier?.metadata.deletionTimestamp) return false;
    state = earlier;
  }
  return undefined;
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
