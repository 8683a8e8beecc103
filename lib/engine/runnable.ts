// What the composition root starts and stops, in order.

/** Something that runs until it is stopped; `stop` drains what it is doing. */
export interface Runnable {
  start(): void | Promise<void>;
  stop(): Promise<void>;
}

/** Starts in order, stops in reverse. */
export function runAll(parts: readonly Runnable[]): Runnable {
  return {
    async start() {
      for (const part of parts) await part.start();
    },
    async stop() {
      for (const part of [...parts].reverse()) await part.stop();
    },
  };
}
