// What becomes of a copy in a cluster when its template is deleted, and whose word is that?
import type { Cascade, CascadeDeletionSpec } from "../../crds/cascade-deletion-spec.js";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import { matchesAffinity, type ClusterFacts } from "./affinity.js";
import { CASCADE_DELETION_ANNOTATION } from "./marks.js";
import { bestSelectorMatch } from "./resource-selector.js";
import { titleOf } from "./title.js";

/** One policy about deletion; both kinds fit. */
export interface CascadeRule {
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: CascadeDeletionSpec;
}

/** The word of the template's propagation policy: `preserve` as it stands there; `decidedBy` names the policy. */
export interface PolicyWord {
  readonly preserve: boolean | undefined;
  readonly decidedBy: string;
}

/** Everything that has a say about one template. */
export interface CascadeInput {
  readonly template: KubeObject;
  /** Every CascadeDeletionPolicy of the template's namespace, and every cluster-wide one. */
  readonly rules: readonly CascadeRule[];
  readonly policy: PolicyWord;
  /** What the binding has on record. */
  readonly recorded: readonly ClusterDeletion[];
}

/** What becomes of the copy in one cluster. `disagreeing`: rules of the same rank that say otherwise. */
export interface ClusterWord extends ClusterDeletion {
  readonly disagreeing?: readonly string[];
}

/** Where rules of one rank disagree, the word that keeps more, and changes less, wins (design 2). */
const KEEPS: Readonly<Record<Cascade, number>> = { background: 0, adopted: 1, restore: 2, orphan: 3 };

/** True when the first word keeps less than the second, or changes more. */
export function keepsLess(one: Cascade, other: Cascade): boolean {
  return KEEPS[one] < KEEPS[other];
}

/**
 * Whose word holds in a cluster: the template's annotation, then the policies about deletion, the most explicit first,
 * then the propagation policy, then deletion. A policy about deletion that is gone, or no longer selects, has said its
 * last word all the same: it stands on record until something of its rank or above says otherwise (design 2).
 */
export function wordFor(cluster: ClusterFacts, input: CascadeInput): ClusterWord {
  const { name } = cluster.metadata;
  return (
    annotationWord(input.template, name) ??
    ruleWord(cluster, input) ??
    input.recorded.find(entry => entry.name === name && entry.reason === "CascadeDeletionPolicy") ??
    policyWord(name, input.policy)
  );
}

/** The word that the template's annotation gives; a value that nobody knows keeps, since it was meant to say something. */
export function annotationWord(template: KubeObject, name: string): ClusterWord | undefined {
  const value = template.metadata.annotations?.[CASCADE_DELETION_ANNOTATION];
  if (value === undefined) return undefined;
  const known = isCascade(value);
  const decidedBy = `annotation ${CASCADE_DELETION_ANNOTATION}: ${value || '""'}${known ? "" : " (not known, so kept; write orphan, background, adopted or restore)"}`;
  return { name, cascadeDeletion: known ? value : "orphan", reason: "TemplateAnnotation", decidedBy };
}

const isCascade = (value: string): value is Cascade => Object.hasOwn(KEEPS, value);

function ruleWord(cluster: ClusterFacts, { template, rules }: CascadeInput): ClusterWord | undefined {
  const ranked = rules.map(rule => ({ rule, rank: rankOf(rule, template, cluster) })).filter(({ rank }) => rank > 0);
  const best = Math.max(...ranked.map(({ rank }) => rank));
  const equals = ranked.filter(({ rank }) => rank === best).map(({ rule }) => rule);
  const [first, ...others] = equals.sort((a, b) => KEEPS[cascadeOf(b)] - KEEPS[cascadeOf(a)] || compare(a, b));
  if (!first) return undefined;
  const disagreeing = others.filter(rule => cascadeOf(rule) !== cascadeOf(first)).map(describeRule);
  return {
    name: cluster.metadata.name,
    cascadeDeletion: cascadeOf(first),
    reason: "CascadeDeletionPolicy",
    decidedBy: describeRule(first),
    ...(disagreeing.length > 0 ? { disagreeing } : {}),
  };
}

/** Whether a policy about deletion selects the template, in this cluster. */
export function isMeantBy(rule: CascadeRule, template: KubeObject, cluster: ClusterFacts): boolean {
  return rankOf(rule, template, cluster) > 0;
}

/** 0: not meant. Above: by name before labels before kind; of two alike, the one that names clusters. */
function rankOf({ spec, metadata }: CascadeRule, template: KubeObject, cluster: ClusterFacts): number {
  if (metadata.deletionTimestamp && isLaterThan(template.metadata.creationTimestamp, metadata.deletionTimestamp))
    return 0;
  const selects = bestSelectorMatch(spec.resourceSelectors, template, metadata.namespace);
  if (selects === 0 || !matchesAffinity(spec.targetCluster, cluster)) return 0;
  return selects * 2 + (isRestricted(spec.targetCluster) ? 1 : 0);
}

function isRestricted(target: CascadeDeletionSpec["targetCluster"]): boolean {
  return Object.values(target ?? {}).some(value => (Array.isArray(value) ? value.length > 0 : value !== undefined));
}

/** A policy that is on its way out says nothing about what was made after that. */
function isLaterThan(created: string | undefined, deleted: string): boolean {
  return created !== undefined && Date.parse(created) > Date.parse(deleted);
}

function policyWord(name: string, { preserve, decidedBy }: PolicyWord): ClusterWord {
  const cascadeDeletion = preserve ? "orphan" : "background";
  return { name, cascadeDeletion, reason: preserve === undefined ? "Default" : "PolicyField", decidedBy };
}

/** The API server fills the default in; an object from before it did says the same. */
export function cascadeOf({ spec }: Pick<CascadeRule, "spec">): Cascade {
  return spec.cascadeDeletion ?? "background";
}

/** A policy's kind and name, for words to people. */
export function describeRule(rule: Pick<CascadeRule, "kind" | "metadata">): string {
  return titleOf(rule);
}

function compare(a: CascadeRule, b: CascadeRule): number {
  return describeRule(a) < describeRule(b) ? -1 : 1;
}

/** What is on record of a binding about one cluster: its entry or, where only the policy decides, the policy's field. */
export function recordedWord(
  { clusterDeletion, preserveResourcesOnDeletion: preserve }: RecordingSpec,
  name: string,
  decidedBy: string,
): ClusterDeletion {
  return clusterDeletion?.find(entry => entry.name === name) ?? policyWord(name, { preserve, decidedBy });
}

/** The two fields of a binding's spec that say what becomes of the copies. */
export interface RecordingSpec {
  readonly preserveResourcesOnDeletion?: boolean;
  readonly clusterDeletion?: readonly ClusterDeletion[];
}

/** The entries that a binding records: none while the propagation policy's field alone decides, everywhere. */
export function recordOf(words: readonly ClusterWord[]): readonly ClusterDeletion[] | undefined {
  const fromPolicy = words.every(({ reason }) => reason === "PolicyField" || reason === "Default");
  if (fromPolicy) return undefined;
  return words.map(({ name, cascadeDeletion, reason, decidedBy }) => ({ name, cascadeDeletion, reason, decidedBy }));
}
