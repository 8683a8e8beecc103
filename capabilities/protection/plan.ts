// May a policy about deletion go, and what does it tell about itself while it is there?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import { describeRule, type CascadeRule, type ClusterWord } from "../../lib/domain/cascade.js";
import { isEdited } from "../../lib/domain/heard.js";
import { listed } from "../../lib/domain/listed.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { counted, nameOf } from "./words.js";

/** A binding of a kind that the policy names, with what the rules say about it now. */
export interface Seen {
  readonly binding: AnyBinding;
  /** `undefined`: not seen, so it may be selected. */
  readonly template: KubeObject | undefined;
  readonly selected: boolean;
  readonly words: readonly ClusterWord[];
}

/** A template that the policy selects and that has no binding. */
export interface Idle {
  readonly template: KubeObject;
  /** A propagation policy has claimed it, or will: its binding is on the way. */
  readonly awaited: boolean;
}

/** Everything that one policy is about. */
export interface View {
  readonly policy: CascadeRule;
  readonly seen: readonly Seen[];
  readonly idle: readonly Idle[];
  /** Kinds in its selectors that the host does not serve, as `apps/v1 Deployment`. */
  readonly unknownKinds: readonly string[];
  /** What must be looked at before whatever it has said until now is on record; `undefined`: it is. */
  readonly waitsFor: string | undefined;
}

/** What a condition says. */
export interface Statement {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** `status` of a policy, without times. */
export interface Report {
  readonly matched: number;
  readonly ready: Statement;
  readonly conflict: Statement;
}

/** For how long a policy that leaves waits for bindings that are on their way, milliseconds: some never come. */
const PATIENCE_MS = 10_000;
/** As long for words from before an edit: one template that cannot be written must not keep every policy for ever. */
const UNHEARD_PATIENCE_MS = 60_000;

/**
 * Why a policy that is being deleted must stay for now; `undefined` when it may go. Its word counts until it stands on
 * every binding that it is about, and until every template that leaves has been decided about (design 3). `now` is in
 * milliseconds since 1970.
 */
export function whyStay({ policy, seen, idle, waitsFor }: View, now: number): string | undefined {
  const leaving = [...seen.flatMap(s => (s.selected && s.template ? [s.template] : [])), ...idle.map(i => i.template)];
  const undecided = leaving.filter(isUndecided);
  if (undecided.length > 0) return `is needed to decide about ${listed(undecided.map(nameOf))}`;
  const unrecorded = seen.filter(one => isUnrecorded(one, policy)).map(({ binding }) => nameOf(templateOf(binding)));
  if (unrecorded.length > 0) return `its last word is not on record yet for ${listed(unrecorded)}`;
  const leavingMs = now - Date.parse(policy.metadata.deletionTimestamp ?? "");
  if (waitsFor !== undefined && isEdited(policy) && leavingMs < UNHEARD_PATIENCE_MS)
    return `what it said before its last edit is not on record yet: waits for ${waitsFor}`;
  const isPatient = leavingMs < PATIENCE_MS;
  const awaited = idle.filter(one => isPatient && one.awaited).map(({ template }) => nameOf(template));
  return awaited.length > 0 ? `waits for the binding of ${listed(awaited)}` : undefined;
}

/** What the policy tells: for how many it decides, why not for more, and who contradicts. */
export function planReport(view: View, now: number): Report {
  const decided = view.seen.filter(({ words }) => words.some(word => word.decidedBy === describeRule(view.policy)));
  const leaving = view.policy.metadata.deletionTimestamp ? farewell(view, now) : undefined;
  return { matched: decided.length, ready: leaving ?? readiness(view, decided.length), conflict: conflict(view) };
}

function farewell(view: View, now: number): Statement {
  const why = whyStay(view, now) ?? "its last word is on record";
  return { status: "False", reason: "Terminating", message: `being deleted: ${why}` };
}

/** True while somebody has still to be asked what becomes of a template's copies. */
export function isUndecided({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(LET_GO_FINALIZER);
}

function isUnrecorded({ binding, template, selected, words }: Seen, { spec }: CascadeRule): boolean {
  if (!template) return spec.resourceSelectors.some(({ name }) => !name || name === binding.spec.resource.name);
  if (!selected) return false;
  return words.some(word => word.reason === "CascadeDeletionPolicy" && !isOnRecord(word, binding));
}

function isOnRecord(word: ClusterDeletion, { spec }: AnyBinding): boolean {
  return (spec.clusterDeletion ?? []).some(
    ({ name, cascadeDeletion, decidedBy }) =>
      name === word.name && cascadeDeletion === word.cascadeDeletion && decidedBy === word.decidedBy,
  );
}

function readiness(view: View, matched: number): Statement {
  const { unknownKinds } = view;
  if (unknownKinds.length > 0) {
    const message = `this cluster does not serve ${listed(unknownKinds)}; check apiVersion and kind, or install its CRD and the policy takes effect`;
    return { status: "False", reason: "UnknownKind", message };
  }
  if (matched > 0) {
    return { status: "True", reason: "Matched", message: `decides about ${counted(matched, "propagated object")}` };
  }
  return { status: "False", reason: "NoMatch", message: whyNothing(view) };
}

function whyNothing({ seen, idle }: View): string {
  const outranked = seen.find(({ selected }) => selected);
  if (outranked) return `${nameOf(templateOf(outranked.binding))} is selected, but ${whoDecides(outranked.words)}`;
  const [lone] = idle;
  if (lone) return `${nameOf(lone.template)} is selected, but no propagation policy sends it to a cluster`;
  return "nothing that is propagated fits any resourceSelector; check apiVersion, kind, namespace, name and labelSelector";
}

function whoDecides(words: readonly ClusterWord[]): string {
  const explicit = words.find(({ reason }) => reason === "TemplateAnnotation" || reason === "CascadeDeletionPolicy");
  if (explicit) return `${explicit.decidedBy} decides in ${explicit.name}`;
  const clusters = words.map(({ name }) => name);
  return clusters.length === 0
    ? "it is in no cluster"
    : `targetCluster selects none of its clusters: ${listed(clusters)}`;
}

/** Of two that disagree the one that keeps more holds (design 2); both tell. */
function conflict({ policy, seen }: View): Statement {
  const self = describeRule(policy);
  const quarrels = seen.flatMap(({ binding, words }) =>
    words.flatMap(word => {
      const [winner, losers] = [word.decidedBy, word.disagreeing ?? []];
      if (winner !== self && !losers.includes(self)) return [];
      if (losers.length === 0) return [];
      const where = `${nameOf(templateOf(binding))} in ${word.name}`;
      return winner === self
        ? [
            `${where}: ${listed(losers)} says otherwise; ${word.cascadeDeletion} of this policy holds, since it keeps more`,
          ]
        : [`${where}: ${winner} says ${word.cascadeDeletion} and holds, since that keeps more`];
    }),
  );
  const [first] = quarrels;
  if (!first) return { status: "False", reason: "NoConflict", message: "no other policy of its rank says otherwise" };
  const more = quarrels.length > 1 ? `; and ${quarrels.length - 1} more` : "";
  return { status: "True", reason: "Disagreement", message: first + more };
}

function templateOf({ spec: { resource } }: AnyBinding): Pick<KubeObject, "kind" | "metadata"> {
  return { kind: resource.kind, metadata: { name: resource.name, namespace: resource.namespace } };
}
