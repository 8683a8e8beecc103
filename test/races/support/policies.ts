// How is an app's propagation policy made and edited, and what do the answers mean?
import type { KubeObject } from "../../../crds/object.js";
import { MEMBERS, type Member, type Preserve } from "../model/commands.js";
import { wordsOf, type Accept, type Actor, type PolicyState } from "./actor.js";
import { claimIn } from "./journal.js";
import { OTHER, policyName, policyOf, policyResource, selectorsOf } from "./objects.js";

/** What a policy says beside what it is. */
type Says = Omit<PolicyState, "id">;

/** Makes the policy, as soon as its name is free. */
export async function createPolicy(actor: Actor, value: Preserve): Promise<string> {
  const ms = Date.now();
  const resource = policyResource(actor.named);
  const object = policyOf(actor.named, value, MEMBERS);
  const create = () => actor.writer.create(resource, object);
  const answer = await actor.whenFree(create, resource, policyName(actor.named));
  if (answer.outcome === "accepted") note(actor, answer, ms, { value, members: MEMBERS, selects: true });
  return wordsOf(answer);
}

/** Edits what `change` names and leaves the rest alone. */
export async function editPolicy(actor: Actor, change: Partial<Says>): Promise<string> {
  if (!actor.policy) return "no policy";
  const ms = Date.now();
  const [resource, target] = [policyResource(actor.named), policyName(actor.named)];
  const { id: _id, ...before } = actor.policy;
  const next = { ...before, ...change };
  const answer = await actor.attempt(
    () => actor.writer.patch(resource, target, { spec: bodyOf(actor, change) }),
    resource,
    target,
    object => object !== undefined && says(object, next),
  );
  if (answer.outcome === "accepted") note(actor, answer, ms, next);
  return wordsOf(answer);
}

/** The placement loses a member; `value` is written in the same edit. */
export async function leave(actor: Actor, member: Member, value: Preserve | undefined): Promise<string> {
  if (actor.policy?.members.length !== MEMBERS.length) return "has left one already";
  if (!actor.policy.selects) return "does not select";
  const members = MEMBERS.filter(m => m !== member);
  return editPolicy(actor, { members, ...(value === undefined ? {} : { value }) });
}

/** What it selects is another name from now on, or the app again. */
export async function select(actor: Actor, selects: boolean, value: Preserve | undefined): Promise<string> {
  if (actor.policy?.selects === selects) return `${selects ? "selects" : "does not select"} already`;
  return editPolicy(actor, { selects, ...(value === undefined ? {} : { value }) });
}

function bodyOf({ named }: Actor, { value, members, selects }: Partial<Says>) {
  return {
    ...(members ? { placement: { clusterAffinity: { clusterNames: members } } } : {}),
    ...(value === undefined ? {} : { preserveResourcesOnDeletion: value }),
    ...(selects === undefined ? {} : { resourceSelectors: selectorsOf(named, selects) }),
  };
}

function note(actor: Actor, answer: Accept, ms: number, said: Says): void {
  const id = (answer.object && claimIn(answer.object)) ?? actor.policy?.id ?? "";
  actor.policy = { id, ...said };
  actor.note(answer, ms, { type: "policy", id, ...said });
}

function says(object: KubeObject, { value, members, selects }: Says): boolean {
  const spec = object["spec"] as {
    readonly preserveResourcesOnDeletion?: boolean;
    readonly placement?: { readonly clusterAffinity?: { readonly clusterNames?: readonly string[] } };
    readonly resourceSelectors?: readonly { readonly name?: string }[];
  };
  const names = spec.placement?.clusterAffinity?.clusterNames ?? [];
  const isOther = spec.resourceSelectors?.some(({ name }) => name?.endsWith(OTHER)) ?? false;
  return (spec.preserveResourcesOnDeletion ?? null) === value && names.length === members.length && isOther !== selects;
}
