// What became of every template and every copy?
import type { Proof, Remembered } from "./request.js";
import type { Course } from "./carry-out.js";
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
    lookIntoMembers(
      fleet,
      done.flatMap(one => one.copies),
    ),
    readRemains(fleet.host.client, done),
  ]);
  const remembered = new Map((options.remembered ?? []).map(one => [placeKey(one.cluster, one.key), one]));
  return planned.flatMap(one => {
    const refusal = isAllowed(one, options.force === true) ? undefined : one.refusal;
    if (refusal) return [whole(one, "Refused", refusal.why)];
    const trouble = troubles.get(one);
    if (trouble !== undefined) return [whole(one, "Failed", trouble)];
    return copiesProven(one, { sights, remains, remembered });
  });
}

function whole({ standing }: PlannedRollback, outcome: "Refused" | "Failed", remark: string): Proof {
  return { object: standing.reference, outcome, proven: false, remark };
}

interface Seen {
  readonly sights: Sights;
  readonly remains: Remains;
  readonly remembered: ReadonlyMap<string, Remembered>;
}

const placeKey = (cluster: string, key: string): string => `${cluster}|${key}`;

function copiesProven(one: PlannedRollback, { sights, remains, remembered }: Seen): readonly Proof[] {
  const { copies, standing } = one;
  if (copies.length === 0) {
    return [{ object: standing.reference, outcome: "NotThere", proven: true, remark: "it is in none of the members" }];
  }
  return copies.map(copy =>
    prove({
      copy,
      visit: sights.get(copy.cluster),
      isHeld: hasWork(copy, remains),
      remembered: remembered.get(placeKey(copy.cluster, objectKey(standing.reference))),
    }),
  );
}
