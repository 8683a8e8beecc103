// What did the API server hold at an earlier revision, and since when has an object been as it is?
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "./errors.js";
import type { ObjectName, ResourceClient } from "./resource.js";
import { isLater } from "./revision.js";

/** How many writes are followed back; more is no history but a quarrel. */
const MAX_STEPS = 16;

/** The server has no history that far (it keeps some minutes), or keeps none: what was then is not known. */
export const FORGOTTEN = Symbol("the server does not remember that revision");

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
 * A kind as of exactly this revision: all of it, of one namespace, or one object. `FORGOTTEN` also for what is no revision.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function listAt<T extends KubeObject>(
  client: PastClient<T>,
  revision: string | undefined,
  { namespace, name }: Partial<ObjectName> = {},
): Promise<readonly T[] | typeof FORGOTTEN> {
  if (!revision || !/^[1-9]\d*$/.test(revision)) return FORGOTTEN;
  const query = { resourceVersion: revision, resourceVersionMatch: "Exact" };
  const selector = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  try {
    return (await client.list({ ...query, ...selector }, namespace)).items;
  } catch (error) {
    if (error instanceof KubeError && [400, 410, 504].includes(error.status)) return FORGOTTEN;
    throw error;
  }
}

/**
 * The object as it was at a revision; `undefined` when it was not there, or another object bore its name. At a revision that
 * is not before its own it is as it is.
 * @throws KubeError when the server does not answer
 */
export async function stateAt<T extends KubeObject>(
  client: PastClient<T>,
  object: T,
  revision: string | undefined,
): Promise<T | undefined | typeof FORGOTTEN> {
  const { resourceVersion } = object.metadata;
  if (revision !== undefined && !isLater(resourceVersion, revision)) return object;
  return objectAt(client, object.metadata, revision);
}

/**
 * As `stateAt`, for an object that may be gone: its name and uid are enough.
 * @throws KubeError when the server does not answer
 */
export async function objectAt<T extends KubeObject>(
  client: PastClient<T>,
  { uid, ...name }: ObjectName & { readonly uid?: string },
  revision: string | undefined,
): Promise<T | undefined | typeof FORGOTTEN> {
  const found = await listAt(client, revision, name);
  return found === FORGOTTEN ? FORGOTTEN : found.find(({ metadata }) => metadata.uid === uid);
}

/**
 * Walks back one write at a time for as long as `isSo` holds of the object.
 * @throws KubeError when the server does not answer
 */
export async function runOf<T extends KubeObject>(
  client: PastClient<T>,
  present: T,
  isSo: (state: T) => boolean,
): Promise<Run<T>> {
  const states = [present];
  let state = present;
  while (states.length <= MAX_STEPS) {
    const earlier = await stateAt(client, state, revisionBefore(state.metadata.resourceVersion));
    if (earlier === FORGOTTEN) return { states, before: "unknown" };
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

/**
 * A Terminating object as it was when its deletion was accepted: its first state that was being deleted. Written to since,
 * it says something else now; `before: "unknown"`: that may be so, and cannot be read any more.
 * @throws KubeError when the server does not answer
 */
export async function atDeletion<T extends KubeObject>(client: PastClient<T>, object: T): Promise<FirstState<T>> {
  const isLeaving = ({ metadata }: T): boolean => metadata.deletionTimestamp !== undefined;
  const { states, before } = await runOf(client, object, isLeaving);
  const state = states.at(-1) ?? object;
  // A Cluster that leaves tells how far it is, again and again.
  return states.length > MAX_STEPS ? firstSinceThen(client, state, isLeaving) : { state, before };
}

/**
 * The first state that was so, of what stays so from then on: by leaps back, then by halves, so that hundreds of writes since
 * take a dozen requests.
 */
async function firstSinceThen<T extends KubeObject>(
  client: PastClient<T>,
  present: T,
  isSo: (state: T) => boolean,
): Promise<FirstState<T>> {
  let state = present;
  let low: { readonly revision: bigint; readonly before: FirstState<T>["before"] } | undefined;

  async function look(revision: bigint): Promise<void> {
    const then = revision > 0n ? await stateAt(client, state, String(revision)) : FORGOTTEN;
    if (then !== FORGOTTEN && then && isSo(then)) state = then;
    else low = { revision, before: then === FORGOTTEN ? "unknown" : then ? "other" : "none" };
  }

  for (let back = 1n; !low; back *= 2n) await look(revisionOf(state) - back);
  while (low.revision < revisionOf(state) - 1n) await look((low.revision + revisionOf(state)) / 2n);
  return { state, before: low.before };
}

const revisionOf = ({ metadata }: KubeObject): bigint => BigInt(metadata.resourceVersion ?? 0);

/** The last revision before this one; `undefined` for what is no revision. */
export function revisionBefore(revision = ""): string | undefined {
  return /^\d+$/.test(revision) ? String(BigInt(revision) - 1n) : undefined;
}
