// What became of every template and every copy?
import type { Reference, Proof, RollbackOptions } from "./request.js";
import type { Course } from "./carry-out.js";
import type { Foreseen } from "./foresee.js";
import { hasWork, readRemains, type Remains } from "./gone.js";
import { isAllowed, type PlannedRollback } from "./plan.js";
import { lookIntoMembers, type Sights } from "./sight.js";
import { objectKey } from "../view/adoption.js";
import { prove } from "./verify.js";

/** Looks at everything once more; in the order of the templates, then of the clusters. @throws KubeError */
export async function proofs(course: Course, planned: readonly PlannedRollback[]): Promise<readonly Proof[]> {
  const { fleet, options, troubles } = course;
  const done = planned.filter(one => isAllowed(one, options.force === true) && !troubles.has(one));
  const [sights, remains] = await Promise.all([
    lookIntoMembers(fleet, wantedOf(done)),
    readRemains(fleet.host.client, done),
  ]);
  return planned.flatMap(one => {
    const refusal = isAllowed(one, options.force === true) ? undefined : one.refusal;
    if (refusal) return [whole(one, "Refused", refusal.why)];
    const trouble = troubles.get(one);
    if (trouble !== undefined) return [whole(one, "Failed", trouble)];
    return copiesProven(one, { sights, remains, options });
  });
}

function whole({ standing }: PlannedRollback, outcome: "Refused" | "Failed", remark: string): Proof {
  return { object: standing.reference, outcome, proven: false, remark };
}

interface Seen {
  readonly sights: Sights;
  readonly remains: Remains;
  readonly options: Pick<RollbackOptions, "remembered">;
}

function copiesProven(one: PlannedRollback, { sights, remains, options }: Seen): readonly Proof[] {
  const { copies, standing } = one;
  if (copies.length === 0) {
    return [{ object: standing.reference, outcome: "NotThere", proven: true, remark: "it is in none of the members" }];
  }
  return copies.map(copy =>
    prove({
      copy,
      visit: sights.get(copy.cluster),
      isHeld: hasWork(copy, remains),
      remembered: (options.remembered ?? []).find(
        ({ key, cluster }) => cluster === copy.cluster && key === objectKey(standing.reference),
      ),
    }),
  );
}

function wantedOf(planned: readonly PlannedRollback[]): ReadonlyMap<string, readonly Reference[]> {
  const wanted = new Map<string, Reference[]>();
  const copies: readonly Foreseen[] = planned.flatMap(one => one.copies);
  for (const { cluster, reference } of copies) wanted.set(cluster, [...(wanted.get(cluster) ?? []), reference]);
  return wanted;
}
