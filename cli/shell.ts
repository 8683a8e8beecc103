// What does every command get from the program that runs it?
import type { Colors } from "./output/color.js";
import type { Output } from "./output/output.js";
import type { Progress } from "./output/progress.js";

/** What a command may say, and how it ends. */
export interface Shell {
  readonly output: Output;
  readonly progress: Progress;
  readonly env: NodeJS.ProcessEnv;
  /** Colours for what goes to stdout. */
  colors(): Colors;
  /** The exit code of a command that ends well but has more to tell than that: differences, or rows that are missing. */
  finish(exitCode: number): void;
}
