// What must a kind tell us so that its state can travel from the members to the template?
import type { KubeObject } from "../../../crds/object.js";
import { type JsonRecord, isRecord } from "./read.js";

/** How a member object fares, in the words of `Work.status.manifestStatuses[].health`. */
export type Health = "Healthy" | "Unhealthy" | "Unknown";

/** What the reader of a member object knows beside the object itself. */
export interface ReflectContext {
  /** `metadata.generation` of the template that the member object was rendered from; the Work knows it. */
  readonly templateGeneration?: number;
}

/** One entry of a binding's `status.aggregatedStatus`, as far as aggregation needs it. */
export interface StatusItem {
  readonly clusterName: string;
  /** What `reflectStatus` answered for this member; undefined when nothing is known. */
  readonly status?: unknown;
  /** Whether the last write of this member's object succeeded. */
  readonly applied: boolean;
  /** Why it did not; absent or empty while nothing has been tried. */
  readonly appliedMessage?: string;
  /** True where nobody has refused it: it is tried again without anybody's doing. */
  readonly pending?: boolean;
  readonly health?: Health;
}

/** A member whose status is known. */
export interface KnownItem {
  readonly clusterName: string;
  readonly status: JsonRecord;
  readonly applied: boolean;
}

/** Everything an aggregation may look at. `items` and `known` are in the order of cluster names. */
export interface Aggregation {
  readonly template: KubeObject;
  /** `template.status`, or an empty object. */
  readonly previous: JsonRecord;
  readonly items: readonly StatusItem[];
  readonly known: readonly KnownItem[];
}

/** The rules of one kind (spec/karmada.md 5.6). What is absent follows the rule of "any other" kind. */
export interface StatusRule {
  /** Undefined = nothing to report. */
  readonly reflect?: (live: KubeObject, context: ReflectContext) => JsonRecord | undefined;
  /** Called only for objects that have a status. */
  readonly health?: (live: KubeObject, status: JsonRecord) => Health;
  /** The whole new status; undefined = leave the template's status alone. */
  readonly aggregate?: (aggregation: Aggregation) => JsonRecord | undefined;
}

/** Rules by `<group>/<kind>`; the core group is empty: `/Pod`. */
export type StatusRules = Readonly<Record<string, StatusRule>>;

/** `.status` of an object when it is one. */
export function statusOf(object: KubeObject): JsonRecord | undefined {
  return isRecord(object.status) ? object.status : undefined;
}

/** `.spec` of an object, or an empty one. */
export function specOf(object: KubeObject): JsonRecord {
  return isRecord(object.spec) ? object.spec : {};
}

/** Healthy or Unhealthy, from a yes or no. */
export function healthIf(healthy: boolean): Health {
  return healthy ? "Healthy" : "Unhealthy";
}
