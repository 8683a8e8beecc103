// What did the API server hold at an earlier revision, if it remembers that far?
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "./errors.js";
import type { ResourceClient } from "./resource.js";

/** How many writes to a Terminating object are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/** What can be read of the past; every other thing is not known. */
export const FORGOTTEN = Symbol("the server does not remember that revision");

type Lister<T extends KubeObject> = Pick<ResourceClient<T>, "list">;

/**
 * A whole collection, or one object of it, as of exactly this revision. `FORGOTTEN` when the server has no history that
 * far (it keeps some minutes) or does not keep any.
 * @throws KubeError when the server does not answer
 */
export async function listAt<T extends KubeObject>(
  client: Lister<T>,
  revision: string | undefined,
  name?: string,
): Promise<readonly T[] | typeof FORGOTTEN> {
  if (!revision || !/^[1-9]\d*$/.test(revision)) return FORGOTTEN;
  const query = { resourceVersion: revision, resourceVersionMatch: "Exact" };
  try {
    return (await client.list(name === undefined ? query : { ...query, fieldSelector: `metadata.name=${name}` })).items;
  } catch (error) {
    if (error instanceof KubeError && [400, 410, 504].includes(error.status)) return FORGOTTEN;
    throw error;
  }
}

/**
 * A Terminating cluster-scoped object as it was when its deletion was accepted: written to since, it says something else
 * now. Followed back one write at a time.
 * @throws KubeError when the server does not answer
 */
export async function atDeletion<T extends KubeObject>(client: Lister<T>, object: T): Promise<T | typeof FORGOTTEN> {
  let state = object;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { name, uid, resourceVersion = "" } = state.metadata;
    const earlier = await listAt(client, before(resourceVersion), name);
    if (earlier === FORGOTTEN) return FORGOTTEN;
    const [previous] = earlier;
    if (previous?.metadata.uid !== uid || !previous?.metadata.deletionTimestamp) return state;
    state = previous;
  }
  return FORGOTTEN;
}

function before(revision: string): string | undefined {
  return /^\d+$/.test(revision) ? String(BigInt(revision) - 1n) : undefined;
}
