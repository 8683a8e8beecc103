// In which forms does a command give its data?
import { Option } from "commander";
import { stringify } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import type { ServedResource } from "../../lib/kube/discovery.js";

/** A table for people, or one of the forms that `-o` names. */
export type Format = "table" | "wide" | "json" | "yaml" | "name";
/** The forms that carry everything. */
export type DataFormat = "json" | "yaml";

/** The flag `-o`; a command offers what it has. Without the flag the command gives a table. */
export function formatOption(...offered: readonly Exclude<Format, "table">[]): Option {
  return new Option("-o, --output <format>", "how to write the data (default: a table)").choices(offered);
}

/** True for the forms that are read by programs. */
export function isData(format: Format): format is DataFormat {
  return format === "json" || format === "yaml";
}

/** A document, without a newline at its end; fields that are `undefined` are left out. */
export function documentOf(data: unknown, format: DataFormat): string {
  return format === "json" ? JSON.stringify(data, null, 4) : yamlOf(data).trimEnd();
}

/**
 * YAML as kubectl writes it: sorted keys, lists not indented, long lines whole, and whatever YAML 1.1 readers would take
 * for a boolean in quotes.
 */
export function yamlOf(data: unknown): string {
  return stringify(data, {
    aliasDuplicateObjects: false,
    indentSeq: false,
    lineWidth: 0,
    sortMapEntries: true,
    version: "1.1",
  });
}

/** Several objects as one, in the form of `kubectl get -o json`. */
export function listOf(items: readonly KubeObject[]): unknown {
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}

/** As `kubectl -o name` has it: `deployment.apps/web`, `configmap/settings`. */
export function nameOf({ kind, group }: Pick<ServedResource, "kind" | "group">, name: string): string {
  return `${kind.toLowerCase()}${group ? `.${group}` : ""}/${name}`;
}
