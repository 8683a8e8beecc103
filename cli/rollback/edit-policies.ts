// Takes members out of the policies of templates that leave them.
import { claimOf } from "../../lib/domain/claims.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { titleOf } from "../../lib/domain/title.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isConflict, messageOf } from "../../lib/kube/errors.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Course } from "./carry-out.js";
import { policyIdOf, type Leaving } from "./leave.js";
import { nameOf, type PlannedRollback } from "./plan.js";
import { grouped } from "./read.js";

/** One policy, and the templates that leave with its edit. `why`: it must not be edited now. */
export interface PolicyEdit {
  readonly leaving: Leaving;
  readonly concerned: readonly PlannedRollback[];
  readonly why?: string;
}

/** Once for each policy, guarded by uid and version. `ready`: those of `planned` whose word is in every Work. */
export async function leavePolicies(
  { fleet, troubles }: Course,
  planned: readonly PlannedRollback[],
  ready: readonly PlannedRollback[],
): Promise<void> {
  for (const { leaving, concerned, why } of policyEdits(planned, ready)) {
    const trouble = why ?? (await editPolicy(fleet.host.client, leaving).then(() => undefined, failed));
    if (trouble !== undefined) for (const one of concerned) troubles.set(one, trouble);
  }
}

const failed = (error: unknown): string =>
  `its policy could not be edited: ${messageOf(error)}; nothing has left: run this again`;

/** Pure. An edit moves all that its policy places: whoever has no word in its Works yet might be deleted by it. */
export function policyEdits(
  planned: readonly PlannedRollback[],
  ready: readonly PlannedRollback[],
): readonly PolicyEdit[] {
  const leaving = ready.flatMap(one => (one.leaving ? [{ one, leaving: one.leaving }] : []));
  const waiting = planned.filter(one => one.state === "live" && !ready.includes(one));
  return grouped(leaving, each => each.leaving.policy.metadata.uid ?? "").map(group => {
    const why = whyNot(
      group.map(each => each.leaving),
      waiting,
    );
    return { leaving: group[0].leaving, concerned: group.map(({ one }) => one), ...(why !== undefined && { why }) };
  });
}

function whyNot(group: readonly Leaving[], waiting: readonly PlannedRollback[]): string | undefined {
  const [first, ...others] = group;
  const left = waiting.find(one => first && follows(one, first.policy));
  if (first && left) {
    const what = `its ${titleOf(first.policy)} also places ${nameOf(left)}, which would leave as well and is not ready to`;
    return `${what}; nothing has left: see what is said about that one, and run this again`;
  }
  if (others.every(other => sameJson(other.placement, first?.placement))) return undefined;
  return "its policy places templates in different members: roll them back one by one";
}

function follows({ standing: { template, binding } }: PlannedRollback, policy: AnyPolicy): boolean {
  const id = policyIdOf(policy);
  return [template, binding].some(object => object && id !== undefined && claimOf(object)?.id === id);
}

const TRIES = 5;

/** Guarded by uid and version; a write in between that leaves the spec as it was, such as a status, is no reason to fail. */
export async function editPolicy(host: KubeClient, { resource, policy, placement }: Leaving): Promise<void> {
  const policies = new ResourceClient<AnyPolicy>(host, resource);
  const { clusterAffinity } = placement;
  let current = policy;
  for (let attempt = 1; ; attempt++) {
    const { uid, resourceVersion } = current.metadata;
    try {
      await policies.mergePatch(policy.metadata, {
        metadata: { uid, resourceVersion },
        spec: { placement: { clusterAffinity } },
      });
      return;
    } catch (error) {
      const live = isConflict(error) && attempt < TRIES ? await policies.find(policy.metadata) : undefined;
      if (!live || !isUnedited(live, policy)) throw error;
      current = live;
    }
  }
}

function isUnedited({ metadata, spec }: AnyPolicy, policy: AnyPolicy): boolean {
  return metadata.uid === policy.metadata.uid && !metadata.deletionTimestamp && sameJson(spec, policy.spec);
}
