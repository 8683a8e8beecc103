// What came of one look at the installation, and what is to be done about it?
import type { Colors } from "../output/color.js";

/** `ok`: as it should be. `warning`: worth knowing. `failed`: something does not work, or will not. */
export type Outcome = "ok" | "warning" | "failed";

/** One line of `holdfast check`. */
export interface Finding {
  /** What was looked at: stable, for scripts. */
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** What to do; every finding that is not `ok` has it. */
  readonly fix?: string;
}

/** As it should be. */
export function fine(check: string, message: string): Finding {
  return { check, outcome: "ok", message };
}

/** Does not work, or will not. */
export function broken(check: string, message: string, fix: string): Finding {
  return { check, outcome: "failed", message, fix };
}

/** Works, and is worth knowing. */
export function doubtful(check: string, message: string, fix: string): Finding {
  return { check, outcome: "warning", message, fix };
}

/** What could not be looked at: nobody may take that for well. */
export function unseen(check: string, why: string): Finding {
  return broken(check, `cannot be looked at: ${why}`, "use a kubeconfig with administrator rights, and try again");
}

/** One line for each finding, and below it what to do. */
export function linesOf(findings: readonly Finding[], colors: Colors): string[] {
  const signs = { ok: colors.green("✔"), warning: colors.yellow("►"), failed: colors.red("✗") };
  return findings.flatMap(({ check, outcome, message, fix }) => [
    `${signs[outcome]} ${check}: ${message.replace(/\s+/g, " ").trim()}`,
    ...(fix === undefined ? [] : [`  ${colors.cyan("►")} ${fix}`]),
  ]);
}
