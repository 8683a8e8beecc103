// What the API server must know about a kind beyond the shape of its objects.
import type { z } from "zod";

/** One column of `kubectl get`. Priority 1 shows it with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description: string;
  readonly priority?: number;
}

/** One kind, ready to be written as a CustomResourceDefinition. */
export interface KindDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  /** What the kind is for; the first thing `kubectl explain` says. */
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly schema: z.ZodType;
}

/** The column every kind has. */
export const AGE: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  description: "Time since the object was created.",
};

/** A column that shows the status of one condition. */
export function conditionColumn(name: string, type: string, description: string): PrinterColumn {
  return { name, type: "string", jsonPath: `.status.conditions[?(@.type=="${type}")].status`, description };
}
