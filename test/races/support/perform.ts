// How is each command carried out, and what does its answer mean?
import { randomUUID } from "node:crypto";
import type { KubeObject } from "../../../crds/object.js";
import {
  CASCADE_DELETION_ANNOTATION,
  CPP_ID_LABEL,
  CPP_NAME_ANNOTATION,
  LET_GO_FINALIZER,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
} from "../../../lib/domain/marks.js";
import * as kinds from "../../../lib/kube/kinds.js";
import type { ApiResource } from "../../../lib/kube/resource.js";
import { MEMBERS, type Cascade, type Command } from "../model/commands.js";
import { wordsOf, type Actor } from "./actor.js";
import { claimIn } from "./journal.js";
import { policyName, policyResource, templateName, templateOf } from "./objects.js";
import { createPolicy, editPolicy, leave, select } from "./policies.js";
import { deleteRule, writeRule } from "./rules.js";
import type { Answer } from "./writes.js";

/** Carries out one command for an actor; answers what became of it, for the report. */
export function perform(actor: Actor, command: Command): Promise<string> {
  // The table has the right one for each: a union of functions cannot be called with a union of arguments.
  return DOERS[command.do](actor, command as never);
}

const DOERS: {
  readonly [K in Command["do"]]: (actor: Actor, command: Extract<Command, { do: K }>) => Promise<string>;
} = {
  preserve: (actor, { value }) => editPolicy(actor, { value }),
  return: async actor => (actor.policy?.selects ? editPolicy(actor, { members: MEMBERS }) : "does not select"),
  leave: (actor, { member, value }) => leave(actor, member, value),
  deselect: (actor, { value }) => select(actor, false, value),
  reselect: (actor, { value }) => select(actor, true, value),
  async annotate(actor, { value }) {
    const [uid = "", cascade] = [actor.template, value ?? undefined];
    const said = await actor.editTemplate(
      { metadata: { annotations: { [CASCADE_DELETION_ANNOTATION]: value } } },
      ({ metadata }) => metadata.uid === uid && metadata.annotations?.[CASCADE_DELETION_ANNOTATION] === cascade,
      { type: "template", uid, cascade },
    );
    if (said.startsWith("@")) actor.cascade = cascade;
    return said;
  },
  async edit(actor) {
    const word = `touched-${++actor.edition}`;
    return actor.editTemplate({ metadata: { labels: { word } } }, ({ metadata }) => metadata.labels?.["word"] === word);
  },
  async replace(actor) {
    if (!actor.template) return "no template";
    const ms = Date.now();
    const object = templateOf(actor.named, ++actor.edition, actor.cascade);
    const answer = await actor.attempt(
      () => actor.writer.replace(actor.templateKind, object),
      actor.templateKind,
      object.metadata,
    );
    if (answer.outcome === "accepted") actor.note(answer, ms, { type: "meddling", what: "marks" });
    return wordsOf(answer);
  },
  async strip(actor, { what }) {
    const [template] = actor.hosted(actor.app.kind);
    const finalizers = (template?.metadata.finalizers ?? []).filter(f => f !== LET_GO_FINALIZER);
    const body =
      what === "finalizer"
        ? { metadata: { finalizers } }
        : { metadata: { labels: noneOf(PP_ID_LABEL, CPP_ID_LABEL), annotations: noneOf(...CLAIM_ANNOTATIONS) } };
    return actor.editTemplate(body, () => true, { type: "meddling", what });
  },
  async "delete-template"(actor, { propagation }) {
    const uid = actor.template;
    if (!uid) return "no template";
    const ms = Date.now();
    const answer = await actor.remove(actor.templateKind, templateName(actor.named), propagation);
    if (answer.outcome === "refused" && answer.status !== 404) return wordsOf(answer);
    actor.template = undefined;
    noteLeaving(actor, answer, ms, { uid, orphan: propagation === "Orphan" });
    return wordsOf(answer);
  },
  async "new-template"(actor) {
    return actor.template ? "there is one" : actor.createTemplate();
  },
  async "delete-policy"(actor) {
    if (!actor.policy) return "no policy";
    const ms = Date.now();
    const { id } = actor.policy;
    const answer = await actor.remove(policyResource(actor.named), policyName(actor.named));
    if (answer.outcome === "refused" && answer.status !== 404) return wordsOf(answer);
    actor.policy = undefined;
    if (answer.outcome === "accepted" && answer.object) actor.note(answer, ms, { type: "policy-leaving", id });
    return wordsOf(answer);
  },
  async "new-policy"(actor, { value }) {
    const first = actor.policy ? await DOERS["delete-policy"](actor, { do: "delete-policy" }) : "";
    return actor.policy ? first : createPolicy(actor, value);
  },
  async "delete-binding"(actor) {
    const [binding] = actor.hosted("ResourceBinding", "ClusterResourceBinding");
    if (!binding) return "no binding";
    const ms = Date.now();
    const answer = await actor.remove(bindingResource(binding), binding.metadata);
    if (answer.outcome === "accepted") actor.note(answer, ms, { type: "meddling", what: "binding" });
    return wordsOf(answer);
  },
  async "delete-work"(actor, { member }) {
    const work = actor.hosted("Work").find(({ metadata }) => metadata.namespace?.endsWith(member));
    if (!work) return "no Work";
    const ms = Date.now();
    const answer = await actor.remove(kinds.WORKS, work.metadata);
    if (answer.outcome === "accepted") actor.note(answer, ms, { type: "meddling", what: "work" });
    return wordsOf(answer);
  },
  async "wrong-owner"(actor) {
    const [binding] = actor.hosted("ResourceBinding", "ClusterResourceBinding");
    const [owner] = binding?.metadata.ownerReferences ?? [];
    if (!binding || !owner) return "no binding with an owner";
    const ms = Date.now();
    const ownerReferences = [{ ...owner, uid: randomUUID() }];
    const resource = bindingResource(binding);
    const answer = await actor.attempt(
      () => actor.writer.patch(resource, binding.metadata, { metadata: { ownerReferences } }),
      resource,
      binding.metadata,
    );
    if (answer.outcome === "accepted") actor.note(answer, ms, { type: "meddling", what: "owner" });
    return wordsOf(answer);
  },
  async "delete-namespace"(actor) {
    if (actor.app.kind === "ClusterRole" || actor.namespaceIsLeaving) return "no namespace";
    const answer = await actor.remove(kinds.NAMESPACES, { name: actor.name });
    // What was in it goes by and by; the watches tell when.
    if (answer.outcome === "accepted") {
      actor.namespaceIsLeaving = true;
      actor.template = undefined;
      if (actor.app.policyKind === "PropagationPolicy") actor.policy = undefined;
    }
    return wordsOf(answer);
  },
  rule: (actor, { rule }) => writeRule(actor, rule),
  "delete-rule": (actor, { name }) => deleteRule(actor, name),
};

const CLAIM_ANNOTATIONS = [PP_NAMESPACE_ANNOTATION, PP_NAME_ANNOTATION, CPP_NAME_ANNOTATION];

const noneOf = (...keys: readonly string[]) => Object.fromEntries(keys.map(key => [key, null]));

const bindingResource = ({ kind }: KubeObject): ApiResource =>
  kind === "ResourceBinding" ? kinds.RESOURCE_BINDINGS : kinds.CLUSTER_RESOURCE_BINDINGS;

/** The answer to a deletion is the object as it began to leave; without one it was gone at once. */
function noteLeaving(
  actor: Actor,
  answer: Answer,
  ms: number,
  { uid, orphan }: { readonly uid: string; readonly orphan: boolean },
): void {
  if (answer.outcome !== "accepted") return;
  const { object } = answer;
  if (object?.metadata.uid !== uid || !object.metadata.deletionTimestamp) return;
  const cascade = object.metadata.annotations?.[CASCADE_DELETION_ANNOTATION] as Cascade | undefined;
  actor.note(answer, ms, { type: "template-leaving", uid, orphan, claim: claimIn(object), cascade });
}
