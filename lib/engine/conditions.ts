// Conditions as kstatus and `kubectl wait` read them: `lastTransitionTime` moves only when `status` flips.
import type { Condition } from "../../crds/object.js";
import { truncate } from "./truncate.js";

/** A condition as a reconciler states it; times are filled in here. */
export type ConditionStatement = Omit<Condition, "lastTransitionTime">;

/** Reason of `Applied` when the member does not know some fields: applied, but not all of it. Bindings pass its words on. */
export const FIELDS_LEFT_OUT = "FieldsLeftOut";

/** The longest message the API takes (metav1.Condition). */
const MESSAGE_LIMIT = 32_768;

/** The conditions with these statements in them, in a stable order; equal statements give an equal list. */
export function withConditions(
  current: readonly Condition[] | undefined,
  statements: readonly ConditionStatement[],
  now: () => Date = () => new Date(),
): Condition[] {
  const result = new Map((current ?? []).map(c => [c.type, c]));
  for (const { message, ...statement } of statements) {
    const before = result.get(statement.type);
    const flipped = before?.status !== statement.status;
    const lastTransitionTime =
      flipped || !before
        ? now()
            .toISOString()
            .replace(/\.\d+Z$/, "Z")
        : before.lastTransitionTime;
    result.set(statement.type, { ...statement, message: truncate(message, MESSAGE_LIMIT), lastTransitionTime });
  }
  return [...result.values()];
}

/** The condition of a type, if it is there. */
export function conditionOf(
  object: { readonly status?: { readonly conditions?: readonly Condition[] } } | undefined,
  type: string,
): Condition | undefined {
  return object?.status?.conditions?.find(c => c.type === type);
}
