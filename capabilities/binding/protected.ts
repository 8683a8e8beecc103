// What will become of the copies when the template is deleted, and on whose word: the condition DeletionProtected.
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import { claimOf, describeClaim } from "../../lib/domain/claims.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import type { Presence } from "../../lib/domain/presence.js";
import { keepsAll, orderFor } from "../../lib/domain/work-word.js";
import type { ConditionStatement } from "../../lib/engine/conditions.js";
import type { AnyBinding } from "../../lib/kube/host.js";

const type = "DeletionProtected";
const FATES = {
  orphan: "kept",
  background: "deleted",
  restore: "kept, with the values of before it was taken over,",
  adopted: "kept where it was before it was taken over, else deleted",
} as const;

const REMARKS: Readonly<Record<Presence, string>> = {
  Ours: "",
  Foreign: " (what is there is not ours: it stays)",
  Unknown: " (not applied: what is not ours stays)",
};

/**
 * True only when every copy stays. The reason is the strongest kind of rule that decided anywhere (design 2). `presences`:
 * by cluster, whose the object there is; what is not ours stays in any case.
 */
export function protectedCondition(
  binding: AnyBinding,
  template: KubeObject | undefined,
  presences: ReadonlyMap<string, Presence>,
): ConditionStatement {
  const words = wordsOf(binding);
  const message = words.length > 0 ? describe(words, presences) : "no cluster has a copy";
  if (template && !template.metadata.finalizers?.includes(LET_GO_FINALIZER)) {
    const why = "the template's manifest declares finalizers, so ours is not on it";
    const note = `${why}: its deletion follows what the binding says at that moment: ${message}`;
    return { type, status: "False", reason: "NoFinalizer", message: note };
  }
  const isKept = words.length > 0 && words.every(({ cascadeDeletion }) => keepsAll(orderFor(cascadeDeletion)));
  return { type, status: isKept ? "True" : "False", reason: reasonOf(words), message };
}

function wordsOf(binding: AnyBinding): ClusterDeletion[] {
  const claim = claimOf(binding);
  const who = claim ? describeClaim(claim) : "the last policy of the template";
  return (binding.spec.clusters ?? []).map(({ name }) => recordedWord(binding.spec, name, who));
}

const RANKS = ["TemplateAnnotation", "CascadeDeletionPolicy", "PolicyField", "Default"] as const;

function reasonOf(words: readonly ClusterDeletion[]): ClusterDeletion["reason"] {
  return RANKS.find(reason => words.some(word => word.reason === reason)) ?? "Default";
}

/** Clusters with the same fate on the same word share a clause: `kept in member1, member2 (PropagationPolicy shop/web)`. */
function describe(words: readonly ClusterDeletion[], presences: ReadonlyMap<string, Presence>): string {
  const clauses = new Map<string, { readonly word: ClusterDeletion; readonly names: string[] }>();
  for (const word of words) {
    const key = `${word.cascadeDeletion}|${word.decidedBy}`;
    const clause = clauses.get(key) ?? { word, names: [] };
    clause.names.push(word.name);
    clauses.set(key, clause);
  }
  const parts = [...clauses.values()].map(({ word, names }) => {
    const places = names.sort().map(name => placeOf(name, word, presences.get(name)));
    return `${FATES[word.cascadeDeletion]} in ${places.join(", ")} (${whyOf(word)})`;
  });
  return `when the template is deleted, its copy is ${parts.join("; ")}`;
}

function placeOf(name: string, { cascadeDeletion }: ClusterDeletion, presence: Presence = "Unknown"): string {
  if (keepsAll(orderFor(cascadeDeletion))) return name;
  return name + REMARKS[presence];
}

function whyOf({ reason, decidedBy }: ClusterDeletion): string {
  return reason === "Default" ? `by default: ${decidedBy} does not set preserveResourcesOnDeletion` : decidedBy;
}
