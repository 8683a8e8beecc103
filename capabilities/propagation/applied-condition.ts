// What does a policy say of the objects that it holds: does every cluster have them?
import { listed } from "../../lib/domain/listed.js";
import type { ConditionStatement } from "../../lib/engine/conditions.js";
import type { Standings } from "./standings.js";

/**
 * Condition `Applied` of a policy that holds `matched` objects. Objects without a condition of their own (ConfigMaps, Secrets,
 * custom resources) show it nowhere else but in their bindings. It counts only what is refused: the rest changes with every
 * object, and each change would be a write.
 */
export function appliedCondition(matched: number, { bindings, open }: Standings): ConditionStatement {
  const type = "Applied";
  if (matched === 0) return { type, status: "Unknown", reason: "NoMatch", message: "it holds nothing" };
  const refused = open.flatMap(standing => (standing.state === "refused" ? [standing.words] : []));
  if (refused.length > 0) {
    const words = listed(refused.flat().sort(), { separator: "; " });
    const message = `${refused.length} of ${matched} not applied: ${words}`;
    return { type, status: "False", reason: "NotApplied", message };
  }
  if (open.length > 0 || bindings < matched) {
    return { type, status: "Unknown", reason: "Applying", message: "not every cluster has all that it holds yet" };
  }
  return { type, status: "True", reason: "Applied", message: "every cluster has what it holds" };
}
