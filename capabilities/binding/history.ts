// Since when has an object been as it is, in a way that matters? Asks the API server for its earlier states.
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";
import { isLater } from "../../lib/kube/revision.js";

/** How many writes are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/** What reads the past of one kind. */
export type PastClient<T extends KubeObject = KubeObject> = Pick<ResourceClient<T>, "list">;

/** States of an object one after the other, the present one first. */
export interface Run<T> {
  readonly states: readonly T[];
  /** `other`: the state before them was not so. `none`: the object was made so. `unknown`: what came before is past reading. */
  readonly before: "other" | "none" | "unknown";
}

/** The first of the states that are so, up to the present one. */
export interface FirstState<T> extends Pick<Run<T>, "before"> {
  readonly state: T;
}

/**
 * Walks back one write at a time for as long as `isSo` holds of the object.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function runOf<T extends KubeObject>(
  client: PastClient<T>,
  present: T,
  isSo: (state: T) => boolean,
): Promise<Run<T>> {
  const states = [present];
  let state = present;
  while (states.length <= MAX_STEPS) {
    const earlier = await stateAt(client, state, before(state.metadata.resourceVersion));
    if (earlier === "forgotten") return { states, before: "unknown" };
    if (!earlier) return { states, before: "none" };
    if (!isSo(earlier)) return { states, before: "other" };
    states.push(earlier);
    state = earlier;
  }
  return { states, before: "unknown" };
}

/** As `runOf`; only the first state. */
export async function firstSuchState<T extends KubeObject>(
  client: PastClient<T>,
  present: T,
  isSo: (state: T) => boolean,
): Promise<FirstState<T>> {
  const { states, before: what } = await runOf(client, present, isSo);
  return { state: states.at(-1) ?? present, before: what };
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
