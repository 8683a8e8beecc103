// In which phase is a claim or a volume, taken over all members?
import { type JsonRecord, timeAt } from "./read.js";
import { type Aggregation, type StatusRules, healthIf } from "./rule.js";

/**
 * Rules of PersistentVolumeClaim and PersistentVolume (spec/karmada.md 5.6). In no member at all both are Pending, as
 * the API server made them: upstream shows a claim that nobody has as Bound.
 */
export const storageRules: StatusRules = {
  "/PersistentVolumeClaim": {
    health: (_live, status) => healthIf(status.phase === "Bound"),
    aggregate: aggregation => ({ phase: worstPhase(aggregation, WORST_CLAIM_FIRST) }),
  },
  "/PersistentVolume": { aggregate: aggregateVolume },
};

const WORST_CLAIM_FIRST = ["Lost", "Pending", "Bound"];
const WORST_VOLUME_FIRST = ["Failed", "Pending", "Available", "Bound", "Released"];

/** A member that says nothing, or nothing we know, is pending. */
function worstPhase({ items, known }: Aggregation, worstFirst: readonly string[]): string {
  const phases = known.map(item => worstFirst.find(phase => phase === item.status.phase) ?? "Pending");
  if (items.length === 0 || known.length < items.length) phases.push("Pending");
  return worstFirst.find(phase => phases.includes(phase)) ?? "Pending";
}

/** The time of the last phase is the API server's: it sets it when the phase changes and keeps it otherwise. */
function aggregateVolume(aggregation: Aggregation): JsonRecord {
  const phase = worstPhase(aggregation, WORST_VOLUME_FIRST);
  const since = timeAt(aggregation.previous, "lastPhaseTransitionTime");
  const unchanged = phase === aggregation.previous.phase && since !== undefined;
  return unchanged ? { phase, lastPhaseTransitionTime: since } : { phase };
}
