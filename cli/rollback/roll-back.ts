// Brings many templates back at once: the core of `rollback` and of `migrate rollback`.
import type { Fleet } from "../access/fleet.js";
import type { Progress } from "../output/progress.js";
import { carryOut } from "./carry-out.js";
import { planRollback } from "./plan.js";
import type { Proof, RollbackOptions, TemplateName } from "./request.js";

/**
 * Lets go of the copies of all templates and proves it, in the order of the templates. Nothing is asked: what is better
 * left alone is refused, one object at a time. Safe to be killed anywhere and to be run again.
 * @throws KubeError when the host does not answer
 */
export async function rollBack(
  fleet: Fleet,
  templates: readonly TemplateName[],
  options: RollbackOptions,
  progress: Progress,
): Promise<readonly Proof[]> {
  return carryOut(fleet, await planRollback(fleet, templates, options), options, progress);
}
