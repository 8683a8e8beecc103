// What came of the last attempt at each Work of one cluster: what the status report is made from.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { APPLIED_FAILED, APPLY_RETRIED } from "../../lib/domain/applied.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { storeKey } from "../../lib/kube/store.js";
import { templateKey, templateRefOf } from "../../lib/kube/templates.js";
import type { Origin } from "./origin.js";
import type { AppliedRecord } from "./plan.js";

/** The result of the last attempt. */
export interface Outcome {
  readonly applied: boolean;
  readonly reason: string;
  readonly message: string;
  /** Generation of the Work that was tried. */
  readonly generation: number | undefined;
  /** Generation of the template that it renders; only once it is applied. */
  readonly templateGeneration: number | undefined;
  /** When, by `performance.now()`. */
  readonly at: number;
}

/** What is new in one of these is worth a report. */
const REPORTED = ["applied", "reason", "message", "generation", "templateGeneration"] as const;

/** Memory of one cluster's reconciler. Losing it costs a no-op apply at most, never a decision. */
export class Outcomes {
  readonly #outcomes = new Map<string, Outcome>();
  // Work -> object -> record: a Work may hold several objects.
  readonly #records = new Map<string, Map<string, AppliedRecord>>();
  readonly #origins = new Map<string, Map<string, Origin>>();
  // Work -> since when this generation of it has been tried in vain, by `performance.now()`.
  readonly #failing = new Map<string, { readonly since: number; readonly generation: number | undefined }>();
  // Work -> uid: what was ordered has been done in the member.
  readonly #done = new Map<string, string | undefined>();

  constructor(readonly changed: (workKey: string) => void) {}

  get(workKey: string): Outcome | undefined {
    return this.#outcomes.get(workKey);
  }

  set(workKey: string, outcome: Outcome): void {
    const before = this.#outcomes.get(workKey);
    this.#outcomes.set(workKey, outcome);
    this.#noteTrying(workKey, outcome);
    if (!before || REPORTED.some(field => before[field] !== outcome[field])) this.changed(workKey);
  }

  /** For how long this generation has been tried in vain, milliseconds; 0 while it has not. What an earlier process said stands. */
  failingMs(workKey: string, work: Work): number {
    const { generation } = work.metadata;
    const applied = conditionOf(work, "Applied");
    const isTold = applied?.reason === APPLIED_FAILED && applied.observedGeneration === generation;
    if (!this.#outcomes.has(workKey) && isTold) this.#failing.set(workKey, { since: -Infinity, generation });
    const known = this.#failing.get(workKey);
    return known && known.generation === generation ? performance.now() - known.since : 0;
  }

  /** Only what is tried takes time: a cluster that is away, or an object that was refused, has not been tried in vain. */
  #noteTrying(workKey: string, { reason, generation, at }: Outcome): void {
    const isSame = this.#failing.get(workKey)?.generation === generation;
    if (reason === APPLY_RETRIED && !isSame) this.#failing.set(workKey, { since: at, generation });
    else if (reason !== APPLY_RETRIED && (reason !== APPLIED_FAILED || !isSame)) this.#failing.delete(workKey);
  }

  /** What is known of one of the Work's objects; `object` names it, in the Work's own cluster. */
  record(workKey: string, object: KubeObject): AppliedRecord | undefined {
    return this.#records.get(workKey)?.get(templateKey(templateRefOf(object)));
  }

  setRecord(workKey: string, object: KubeObject, record: AppliedRecord): void {
    const records = this.#records.get(workKey) ?? new Map<string, AppliedRecord>();
    this.#records.set(workKey, records.set(templateKey(templateRefOf(object)), record));
  }

  /** Where one of the Work's objects comes from, as this process has seen itself. */
  origin(workKey: string, object: KubeObject): Origin | undefined {
    return this.#origins.get(workKey)?.get(templateKey(templateRefOf(object)));
  }

  setOrigin(workKey: string, object: KubeObject, origin: Origin): void {
    const origins = this.#origins.get(workKey) ?? new Map<string, Origin>();
    this.#origins.set(workKey, origins.set(templateKey(templateRefOf(object)), origin));
  }

  /** True when nothing is left to do in the member for a Work that goes. */
  isDone({ metadata }: Work): boolean {
    return metadata.uid !== undefined && this.#done.get(storeKey(metadata)) === metadata.uid;
  }

  setDone({ metadata }: Work): void {
    this.#done.set(storeKey(metadata), metadata.uid);
  }

  forget(workKey: string): void {
    this.#done.delete(workKey);
    this.#outcomes.delete(workKey);
    this.#failing.delete(workKey);
    this.#records.delete(workKey);
    this.#origins.delete(workKey);
  }
}

/** An attempt that came to nothing: what a person reads on the Work. */
export function failed(work: Work, reason: string, message: string): Outcome {
  const { generation } = work.metadata;
  return { applied: false, reason, message, generation, templateGeneration: undefined, at: performance.now() };
}
