// Which states has an object gone through, newest first, as far as the host remembers them?
import type { KubeObject } from "../../crds/object.js";
import { Answers } from "./answers.js";
import { runOf, type PastClient } from "./history.js";

const REMEMBERED = 1_000;

/** The object's states from this one backwards, itself included. @throws when the host does not answer: then nothing is decided */
export type States<T> = (object: T) => Promise<readonly T[]>;

/** Reads the past of each generation once, however many ask: as far as `isSo` holds of a state and its object. */
export function statesReader<T extends KubeObject>(
  clientOf: (object: T) => PastClient<T>,
  isSo: (state: T, object: T) => boolean = () => true,
): States<T> {
  const answers = new Answers<readonly T[]>(REMEMBERED);
  return function statesOf(object) {
    const { uid, generation } = object.metadata;
    return answers.of(
      `${uid}|${generation}`,
      async () => (await runOf(clientOf(object), object, state => isSo(state, object))).states,
    );
  };
}
