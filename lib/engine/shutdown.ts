// Starts the process's work, and ends it in order when it is asked to go.
import { messageOf } from "../kube/errors.js";
import type { Logger } from "./log.js";
import type { Runnable } from "./runnable.js";

/** A drain of 10 s and the last answers, within the 30 s that a Pod is given. */
const FORCE_MS = 25_000;

/**
 * Builds and starts what the process does; on SIGTERM or SIGINT it drains, releases the Lease and exits. A start that fails
 * ends the process: whoever runs it starts it again.
 */
export function runUntilSignal(build: () => Promise<Runnable>, log: Logger): void {
  let running: Runnable | undefined;
  let ending = false;

  async function end(code: number): Promise<void> {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(code || 1), FORCE_MS).unref();
    try {
      await running?.stop();
    } catch (error) {
      log.warn("not everything ended in order", { error: messageOf(error) });
    }
    process.exit(code);
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // Pepr would close its server at once, and end the process when that is done: before the last answer, and with the Lease.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      log.info("ending", { signal });
      void end(0);
    });
  }
  process.on("unhandledRejection", error => log.error("unhandled rejection", { error: messageOf(error) }));

  build()
    .then(async runnable => {
      running = runnable;
      await runnable.start();
    })
    .catch((error: unknown) => {
      log.error("cannot start", { error: messageOf(error) });
      void end(1);
    });
}
