// How do copies of one bare Pod in many members look as one Pod?
import type { KubeObject } from "../../../crds/object.js";
import { type ConditionRules, mergeConditions } from "./conditions.js";
import {
  type JsonRecord,
  countAt,
  defined,
  integerAt,
  isRecord,
  recordAt,
  recordsAt,
  textAt,
  timeAt,
  trueCondition,
} from "./read.js";
import { type Aggregation, type Health, type StatusRules, healthIf, specOf } from "./rule.js";

/**
 * The rule of v1 Pods (spec/karmada.md 5.6). One entry per container name, not one per member: under restart policy
 * `Never` the API server takes a second entry of the same name for a container that came back to life, and refuses it.
 */
export const podRules: StatusRules = { "/Pod": { health: podHealth, aggregate: aggregatePod } };

/** `kubectl wait --for=condition=Ready` and kstatus look for these. */
const CONDITIONS: ConditionRules = {
  PodScheduled: { good: "True", restless: true },
  Initialized: { good: "True" },
  ContainersReady: { good: "True" },
  Ready: { good: "True" },
};

const WORST_PHASE_FIRST = ["Failed", "Pending", "Running", "Succeeded"];

function podHealth(_live: KubeObject, status: JsonRecord): Health {
  const ready = trueCondition(status, "Ready") !== undefined;
  return healthIf(status.phase === "Succeeded" || (status.phase === "Running" && ready));
}

function aggregatePod(aggregation: Aggregation): JsonRecord {
  const { previous } = aggregation;
  const containers = mergeContainers(aggregation, "containerStatuses", "containers");
  const initContainers = mergeContainers(aggregation, "initContainerStatuses", "initContainers");
  return defined({
    phase: phaseOf(aggregation),
    containerStatuses: containers.length > 0 ? containers : undefined,
    initContainerStatuses: initContainers.length > 0 ? initContainers : undefined,
    // The API server set these at creation and keeps them whatever is sent.
    qosClass: previous.qosClass,
    observedGeneration: integerAt(previous, "observedGeneration"),
    ...mergeConditions(aggregation, CONDITIONS),
  });
}

/** The worst phase. A member that says nothing, or nothing we know, has its Pod still to come. */
function phaseOf({ items, known }: Aggregation): string {
  const phases = known.map(item => WORST_PHASE_FIRST.find(phase => phase === item.status.phase) ?? "Pending");
  if (known.length < items.length || items.length === 0) phases.push("Pending");
  return WORST_PHASE_FIRST.find(phase => phases.includes(phase)) ?? "Pending";
}

function mergeContainers(aggregation: Aggregation, statusField: string, specField: string): readonly JsonRecord[] {
  const { template, previous, known } = aggregation;
  const lists = known.map(item => recordsAt(item.status, statusField));
  const names = [...new Set(lists.flat().map(container => textAt(container, "name")))];
  return names
    .filter(name => name !== undefined)
    .sort()
    .map(name => {
      const copies = lists.map(list => list.find(container => container.name === name));
      const unknown = known.length < aggregation.items.length ? [undefined] : [];
      const before = recordsAt(previous, statusField).find(container => container.name === name);
      const merged = mergeContainer(name, [...copies, ...unknown]);
      return before && staysTerminated(before, merged, policyOf(template, specField, name)) ? before : merged;
    });
}

/** Ready when all are; in the state of the copy that has the longest way to go. A copy nobody reports is waiting. */
function mergeContainer(name: string, copies: readonly (JsonRecord | undefined)[]): JsonRecord {
  const states = copies.map(copy => stateOf(recordAt(copy ?? {}, "state")));
  const state = states.reduce((worst, next) => (toGo(next) > toGo(worst) ? next : worst));
  return {
    name,
    ready: copies.every(copy => copy?.ready === true),
    state,
    // These four fields are what the API server adds to every container status.
    lastState: {},
    restartCount: 0,
    image: "",
    imageID: "",
  };
}

function stateOf(state: JsonRecord): JsonRecord {
  if (isRecord(state.terminated)) return { terminated: terminatedOf(state.terminated) };
  if (isRecord(state.running)) return { running: defined({ startedAt: timeAt(state.running, "startedAt") }) };
  const waiting = recordAt(state, "waiting");
  return { waiting: defined({ reason: textAt(waiting, "reason"), message: textAt(waiting, "message") }) };
}

function terminatedOf(terminated: JsonRecord): JsonRecord {
  const signal = countAt(terminated, "signal");
  return defined({
    exitCode: exitCodeOf(terminated),
    signal: signal > 0 ? signal : undefined,
    reason: textAt(terminated, "reason"),
    message: textAt(terminated, "message"),
    startedAt: timeAt(terminated, "startedAt"),
    finishedAt: timeAt(terminated, "finishedAt"),
    containerID: textAt(terminated, "containerID"),
  });
}

/** Exit codes may be negative (Windows), but never wider than an int32. */
function exitCodeOf(terminated: JsonRecord): number {
  return (integerAt(terminated, "exitCode") ?? 0) | 0;
}

function toGo(state: JsonRecord): number {
  if (state.waiting) return 3;
  if (state.running) return 2;
  return exitCodeOf(recordAt(state, "terminated")) === 0 ? 0 : 1;
}

function policyOf(template: KubeObject, specField: string, name: string): string {
  const spec = specOf(template);
  const container = recordsAt(spec, specField).find(candidate => candidate.name === name) ?? {};
  return textAt(container, "restartPolicy") ?? textAt(spec, "restartPolicy") ?? "Always";
}

/** The API server lets a terminated container run again only where its restart policy does. */
function staysTerminated(before: JsonRecord, merged: JsonRecord, policy: string): boolean {
  const ended = recordAt(before, "state").terminated;
  if (!isRecord(ended) || recordAt(merged, "state").terminated !== undefined) return false;
  return policy === "Never" || (policy === "OnFailure" && exitCodeOf(ended) === 0);
}
