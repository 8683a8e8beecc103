// What does a controller tell about its work?
import type { QueueStats } from "./queue.js";

/** One reconcile that has ended. */
export interface ReconcileFacts {
  readonly controller: string;
  readonly key: string;
  readonly seconds: number;
  /** What went wrong; absent where nothing did. */
  readonly error?: string;
}

/** What a controller reports about itself. */
export interface ControllerMetrics {
  reconciled(facts: ReconcileFacts): void;
  watchQueue(controller: string, stats: () => QueueStats): void;
  forgetQueue(controller: string): void;
}
