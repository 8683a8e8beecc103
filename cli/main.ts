// Runs one command line in this process.
import { run } from "./program.js";

/** As a program that the signal itself ends, which this runtime ignores. */
const SIGPIPE_EXIT = 141;

/** Sets the exit code instead of exiting, so that what was written is flushed. */
export async function main(): Promise<void> {
  process.stdout.on("error", endWithReader);
  process.exitCode = await run(process.argv.slice(2), process);
}

/** Who reads has seen enough, as in `holdfast get deploy | head -1`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(SIGPIPE_EXIT);
  throw error;
}
