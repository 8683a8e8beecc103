// Which live names may stand in a place of a command line?
import type { Command } from "commander";

/**
 * `objects`: KIND, KIND/NAME, or names of the kind before · `object`: the same, for one object · `cluster`: a member ·
 * `namespace` · `context` of a kubeconfig · `file`: the shell knows better.
 */
export type Source = "objects" | "object" | "cluster" | "namespace" | "context" | "file";

/** Where a command takes what. */
export interface Suggestions {
  /** For every argument of the command. */
  readonly argument?: Source;
  /** For flags whose name does not say it already, by their long name: `--from`. */
  readonly flags?: Readonly<Record<string, Source>>;
}

const suggestions = new WeakMap<Command, Suggestions>();

/** Says what may stand in the places of a command, for the shell's completion. */
export function suggest(command: Command, what: Suggestions): void {
  suggestions.set(command, what);
}

/** What `suggest` was told. */
export function suggestionsFor(command: Command): Suggestions {
  return suggestions.get(command) ?? {};
}

/** What flags of these names mean in every command. */
export const FLAG_SOURCES: Readonly<Record<string, Source>> = {
  "--namespace": "namespace",
  "--clusters": "cluster",
  "--context": "context",
  "--karmada-context": "context",
  "--kubeconfig": "file",
  "--cluster-kubeconfig": "file",
  "--filename": "file",
};
