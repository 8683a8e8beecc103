// Which flag names the operator's own namespace?
import type { Command } from "commander";

/** Flags of commands that look at the operator itself. */
export interface OperatorFlags {
  readonly operatorNamespace?: string;
}

/** Adds `--operator-namespace`. */
export function operatorOption(command: Command): Command {
  const text = "namespace of the operator (default: that of the account that the ClusterRole holdfast is given to)";
  return command.option("--operator-namespace <name>", text);
}
