// Takes members out of the policies of templates that leave them.
import { sameJson } from "../../lib/domain/json-value.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Course } from "./carry-out.js";
import type { PlannedRollback } from "./plan.js";

/** Once for each policy, guarded by uid and version; a policy that some other template still needs is not touched. */
export async function leavePolicies({ fleet, troubles }: Course, planned: readonly PlannedRollback[]): Promise<void> {
  const ids = new Set(planned.flatMap(({ leaving }) => leaving?.policy.metadata.uid ?? []));
  for (const id of ids) {
    const concerned = planned.filter(({ leaving }) => leaving?.policy.metadata.uid === id);
    const trouble = await edit(fleet, concerned).catch(
      (error: unknown) => `its policy could not be edited: ${messageOf(error)}; nothing has left: run this again`,
    );
    if (trouble !== undefined) for (const one of concerned) troubles.set(one, trouble);
  }
}

async function edit(fleet: Course["fleet"], concerned: readonly PlannedRollback[]): Promise<string | undefined> {
  const [leaving, ...others] = concerned.flatMap(one => one.leaving ?? []);
  if (!leaving) return undefined;
  const { resource, policy, placement } = leaving;
  if (!others.every(other => sameJson(other.placement, placement))) {
    return "its policy places templates in different members: roll them back one by one";
  }
  const { uid, resourceVersion } = policy.metadata;
  const { clusterAffinity } = placement;
  await new ResourceClient<AnyPolicy>(fleet.host.client, resource).mergePatch(policy.metadata, {
    metadata: { uid, resourceVersion },
    spec: { placement: { clusterAffinity } },
  });
  return undefined;
}
