// When is a stream coloured?
import pc from "picocolors";

/** What `--color` says. */
export type When = "auto" | "always" | "never";
/** Ways to colour a piece of text; they do nothing where colours are not wanted. */
export type Colors = ReturnType<typeof pc.createColors>;

/**
 * Colours for one stream. `auto`: only on a terminal, and not where NO_COLOR is set (no-color.org); the flag, which somebody
 * has just typed, goes before the environment.
 */
export function colorsFor(isTerminal: boolean, env: NodeJS.ProcessEnv, when: When = "auto"): Colors {
  if (when !== "auto") return pc.createColors(when === "always");
  return pc.createColors(isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb");
}
