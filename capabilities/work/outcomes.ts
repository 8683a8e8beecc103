// What came of the last attempt at each Work of one cluster: what the status report is made from.
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

/** Memory of one cluster's reconciler. Losing it costs a no-op apply at most, never a decision. */
export class Outcomes {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #records = new Map<string, AppliedRecord>();

  constructor(readonly changed: (workKey: string) => void) {}

  get(workKey: string): Outcome | undefined {
    return this.#outcomes.get(workKey);
  }

  set(workKey: string, outcome: Outcome): void {
    const before = this.#outcomes.get(workKey);
    this.#outcomes.set(workKey, outcome);
    const same = before && before.applied === outcome.applied && before.message === outcome.message;
    if (!same || before.generation !== outcome.generation) this.changed(workKey);
  }

  record(workKey: string): AppliedRecord | undefined {
    return this.#records.get(workKey);
  }

  setRecord(workKey: string, record: AppliedRecord): void {
    this.#records.set(workKey, record);
  }

  forget(workKey: string): void {
    this.#outcomes.delete(workKey);
    this.#records.delete(workKey);
  }
}
