// How does one object do, in one or two words for a person?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { healthOf } from "../../lib/domain/status/index.js";

/** `ready` such as `2/3`, of kinds that count; `status` in one word, where there is anything to say. */
export interface ObjectState {
  readonly ready?: string;
  readonly status?: string;
}

/** What an object says about itself. `isTemplate`: its status is the sum over all members, which may be more than it asks for. */
export function stateOf(object: KubeObject, { isTemplate = false } = {}): ObjectState {
  const ready = countsOf(object, isTemplate);
  const status = statusWord(object);
  return { ...(ready && { ready }), ...(status && { status }) };
}

type Fields = Readonly<Record<string, unknown>>;
type Counter = (spec: Fields, status: Fields) => readonly [ready: number, wanted: number];

const replicas: Counter = (spec, status) => [numberAt(status, "readyReplicas"), numberAt(spec, "replicas", 1)];

const COUNTERS: Readonly<Record<string, Counter>> = {
  "apps/Deployment": replicas,
  "apps/ReplicaSet": replicas,
  "apps/StatefulSet": replicas,
  "/ReplicationController": replicas,
  "apps/DaemonSet": (_spec, status) => [numberAt(status, "numberReady"), numberAt(status, "desiredNumberScheduled")],
  "batch/Job": (spec, status) => [numberAt(status, "succeeded"), numberAt(spec, "completions", 1)],
  "/Pod": (spec, status) => [
    listAt(status, "containerStatuses").filter(container => container["ready"] === true).length,
    listAt(spec, "containers").length,
  ],
};

function countsOf(object: KubeObject, isTemplate: boolean): string | undefined {
  const { group, kind } = gvkOf(object);
  const counter = COUNTERS[`${group}/${kind}`];
  if (!counter) return undefined;
  const status = recordAt(object, "status");
  const [ready, wanted] = counter(recordAt(object, "spec"), status);
  return `${ready}/${isTemplate ? Math.max(wanted, numberAt(status, "replicas")) : wanted}`;
}

function statusWord(object: KubeObject): string | undefined {
  if (object.metadata.deletionTimestamp) return "Terminating";
  const status = recordAt(object, "status");
  const waiting = listAt(status, "containerStatuses").map(container => reasonOfWaiting(container));
  const word = waiting.find(reason => reason !== undefined) ?? status["phase"] ?? readyWord(status);
  if (typeof word === "string" && word !== "") return word;
  return Object.keys(status).length > 0 ? healthOf(object) : undefined;
}

/** Custom resources mostly have this one condition. */
function readyWord(status: Fields): string | undefined {
  const ready = listAt(status, "conditions").find(({ type }) => type === "Ready");
  return ready && (ready["status"] === "True" ? "Ready" : "NotReady");
}

function reasonOfWaiting(container: Fields): unknown {
  const { waiting } = recordAt(container, "state");
  return isRecord(waiting) ? waiting["reason"] : undefined;
}

function recordAt(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isRecord(value) ? value : {};
}

function listAt(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function numberAt(fields: Fields, key: string, otherwise = 0): number {
  const value = fields[key];
  return typeof value === "number" ? value : otherwise;
}
