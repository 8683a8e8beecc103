// How are policies about deletion made, edited and deleted, and what do the answers mean?
import type { KubeObject } from "../../../crds/object.js";
import type { ApiResource } from "../../../lib/kube/resource.js";
import type { Cascade, Rule, RuleName } from "../model/commands.js";
import { wordsOf, type Actor } from "./actor.js";
import { ruleName, ruleOf, ruleResource } from "./objects.js";
import type { Answer } from "./writes.js";

/** Makes a rule, or edits the one that is there. */
export async function writeRule(actor: Actor, rule: Rule): Promise<string> {
  const [resource, target] = [ruleResource(actor.named), ruleName(actor.named, rule.name)];
  const ms = Date.now();
  const object = ruleOf(actor.named, rule);
  const isThere = actor.hosted(resource.kind).some(({ metadata }) => metadata.name === target.name);
  const send = () => (isThere ? replace(actor, resource, object) : actor.writer.create(resource, object));
  const answer = await actor.attempt(send, resource, target, found => found !== undefined && saysSame(found, object));
  if (answer.outcome === "accepted") actor.note(answer, ms, { type: "rule", rule });
  return wordsOf(answer);
}

/** Deletes a rule, whether it is there or not. */
export async function deleteRule(actor: Actor, name: RuleName): Promise<string> {
  const ms = Date.now();
  const answer = await actor.remove(ruleResource(actor.named), ruleName(actor.named, name));
  if (answer.outcome === "accepted") {
    actor.note(answer, ms, { type: "rule-leaving", name, held: answer.object !== undefined });
  }
  return wordsOf(answer);
}

async function replace(actor: Actor, resource: ApiResource, object: KubeObject): Promise<Answer> {
  return actor.writer.patch(resource, object.metadata, { spec: { targetCluster: null, ...(object.spec as object) } });
}

function saysSame(found: KubeObject, wanted: KubeObject): boolean {
  return wordsIn(found) === wordsIn(wanted);
}

function wordsIn({ spec }: KubeObject): string {
  const { cascadeDeletion, resourceSelectors, targetCluster } = spec as {
    readonly cascadeDeletion?: Cascade;
    readonly resourceSelectors?: readonly { readonly name?: string }[];
    readonly targetCluster?: { readonly clusterNames?: readonly string[] };
  };
  return JSON.stringify([cascadeDeletion, resourceSelectors?.[0]?.name, targetCluster?.clusterNames]);
}
