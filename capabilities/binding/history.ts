// Since when has an object been as it is, in a way that matters? Asks the API server for its earlier states.
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";
import { isLater } from "../../lib/kube/revision.js";

/** How many writes are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/** What reads the past of one kind. */
export type PastClient<T extends KubeObject = KubeObject> = Pick<ResourceClient<T>, "list">;

/** The first of the states that are so, up to the present one. */
export interface FirstState<T> {
  readonly state: T;
  /** `other`: the state before it was not so. `none`: the object was made so. `unknown`: what came before is past reading. */
  readonly before: "other" | "none" | "unknown";
}

/**
 * Walks back one write at a time for as long as `isSo` holds of the object.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function firstSuchState<T extends KubeObject>(
  client: PastClient<T>,
  present: T,
  isSo: (state: T) => boolean,
): Promise<FirstState<T>> {
  let state = present;
  for (let step = 0; step < MAX_STEPS; step++) {
    const earlier = await stateAt(client, state, before(state.metadata.resourceVersion));
    if (earlier === "forgotten") return { state, before: "unknown" };
    if (!earlier) return { state, before: "none" };
    if (!isSo(earlier)) return { state, before: "other" };
    state = earlier;
  }
  return { state, before: "unknown" };
}

/** The object as it was at a revision; `undefined` when it was not there, or another object bore its name. */
export async function stateAt<T extends KubeObject>(
  client: PastClient<T>,
  object: T,
  revision: string | undefined,
): Promise<T | undefined | "forgotten"> {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  if (revision === undefined) return "forgotten";
  if (!isLater(resourceVersion, revision)) return object;
  const query = { resourceVersion: revision, resourceVersionMatch: "Exact", fieldSelector: `metadata.name=${name}` };
  try {
    const [then] = (await client.list(query, namespace)).items;
    return then?.metadata.uid === uid ? then : undefined;
  } catch (error) {
    if (error instanceof KubeError && [400, 410, 504].includes(error.status)) return "forgotten";
    throw error;
  }
}

function before(resourceVersion = ""): string | undefined {
  return /^[1-9]\d*$/.test(resourceVersion) ? String(BigInt(resourceVersion) - 1n) : undefined;
}
