// Runs one command line in this process.
import { run } from "./program.js";

/** Sets the exit code instead of exiting, so that what was written is flushed. */
export async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), process);
}
