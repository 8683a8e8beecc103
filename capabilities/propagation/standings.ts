// Which of the objects that a policy holds are not where they belong, as their bindings tell?
import { sameJson } from "../../lib/domain/json-value.js";
import { titleOf } from "../../lib/domain/title.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { truncate } from "../../lib/engine/truncate.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { claimIdsOf } from "./plan.js";

/**
 * How an object does that is not everywhere yet: it goes on by itself, or somebody has to act. `words` name the object, the
 * member and what that said, one sentence for each member.
 */
export type Standing = { readonly state: "waits" } | { readonly state: "refused"; readonly words: readonly string[] };

/** What is known of the bindings of one policy: how many there are, and those that are not as they should be. */
export interface Standings {
  readonly bindings: number;
  readonly open: readonly Standing[];
}

/** A member may answer at any length; a policy tells the beginning. */
const LONGEST_WORDS = 512;
const NONE: Standings = { bindings: 0, open: [] };

/** `undefined` for an object that every cluster has as it should be. */
export function standingOf(binding: AnyBinding): Standing | undefined {
  const { resource } = binding.spec;
  const title = titleOf({ kind: resource.kind, metadata: { namespace: resource.namespace, name: resource.name } });
  const scheduled = conditionOf(binding, "Scheduled");
  if (scheduled?.status === "False") return { state: "refused", words: [worded(title, scheduled.message)] };
  const applied = conditionOf(binding, "FullyApplied");
  if (applied?.status === "True" && applied.observedGeneration === binding.metadata.generation) return undefined;
  const words = (binding.status?.aggregatedStatus ?? []).flatMap(item => {
    const isRefused = !item.applied && !item.pending && item.appliedMessage;
    return isRefused ? [worded(`${title} in ${item.clusterName}`, item.appliedMessage)] : [];
  });
  return words.length > 0 ? { state: "refused", words } : { state: "waits" };
}

const worded = (what: string, words = ""): string => truncate(`${what}: ${words}`, LONGEST_WORDS);

/**
 * Kept up to date by each change of a binding, so that a policy over ten thousand objects can tell at any moment which few of
 * them are in trouble, without looking at the others.
 */
export class StandingsByPolicy {
  // Policy id -> binding key -> how it stands; `undefined` when all is well.
  readonly #bindings = new Map<string, { all: number; open: Map<string, Standing> }>();

  /** Takes in a change; answers the ids of the policies that have something else to tell now. */
  note({ key, before, after }: StoreChange<AnyBinding>): string[] {
    const was = { ids: claimIdsOf(before), standing: before && standingOf(before) };
    const is = { ids: claimIdsOf(after), standing: after && standingOf(after) };
    if (before && after && sameJson(was, is)) return [];
    for (const id of was.ids) this.#remove(id, key);
    for (const id of is.ids) this.#add(id, key, is.standing);
    return [...new Set([...was.ids, ...is.ids])];
  }

  /** By the policy's permanent id. */
  of(id: string): Standings {
    const known = this.#bindings.get(id);
    return known ? { bindings: known.all, open: [...known.open.values()] } : NONE;
  }

  #add(id: string, key: string, standing: Standing | undefined): void {
    const known = this.#bindings.get(id) ?? { all: 0, open: new Map<string, Standing>() };
    known.all++;
    if (standing) known.open.set(key, standing);
    this.#bindings.set(id, known);
  }

  #remove(id: string, key: string): void {
    const known = this.#bindings.get(id);
    if (!known) return;
    known.all--;
    known.open.delete(key);
    if (known.all <= 0) this.#bindings.delete(id);
  }
}
