// What became of the objects in a cluster that has left, in words and in a form that a command can read?
import { z } from "zod";
import type { ObjectMeta } from "../../crds/object.js";
import { titleOf } from "./title.js";

/** On a Cluster that leaves: what became of what was in it, as JSON of `FarewellReport`. */
export const FAREWELL_ANNOTATION = "holdfast.dev/farewell";

/** `kept`: there and free of marks; `deleted`: gone, or on its way out; `left`: not known, or there with our marks. */
export const FarewellOutcome = z.enum(["kept", "deleted", "left"]);
export type FarewellOutcome = z.infer<typeof FarewellOutcome>;

/** One object and what became of it. */
export const FarewellEntry = z.object({
  outcome: FarewellOutcome,
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
  /** What a person should know about it; always there for what is left. */
  why: z.string().optional(),
});
export type FarewellEntry = Readonly<z.infer<typeof FarewellEntry>>;

/** All of it counted, and as many named as fit; what is left behind is named first. */
export const FarewellReport = z.object({
  /** uid of the Cluster: one that was made again from an exported manifest does not speak for the old one. */
  cluster: z.string(),
  /** How many of them Works stood for; the others are namespaces that were made on demand. */
  sent: z.number(),
  kept: z.number(),
  deleted: z.number(),
  left: z.number(),
  objects: z.array(FarewellEntry),
});
export type FarewellReport = Readonly<z.infer<typeof FarewellReport>>;

/** Annotations of one object may have 256 KiB together. */
const NAMED = 300;
const WHY_LIMIT = 200;
const ORDER: Readonly<Record<FarewellOutcome, number>> = { left: 0, kept: 1, deleted: 2 };
/** How many a sentence names. */
const MENTIONED: Readonly<Record<FarewellOutcome, number>> = { left: 12, kept: 4, deleted: 4 };

/** Counts, sorts, and names as many as fit into an annotation. */
export function reportOf(
  { cluster, sent }: Pick<FarewellReport, "cluster" | "sent">,
  entries: readonly FarewellEntry[],
): FarewellReport {
  const count = (outcome: FarewellOutcome) => entries.filter(entry => entry.outcome === outcome).length;
  const sorted = [...entries].sort(
    (a, b) => ORDER[a.outcome] - ORDER[b.outcome] || (nameOfEntry(a) < nameOfEntry(b) ? -1 : 1),
  );
  const objects = sorted
    .slice(0, NAMED)
    .map(({ why, ...entry }) => (why === undefined ? entry : { ...entry, why: why.slice(0, WHY_LIMIT) }));
  return { cluster, sent, kept: count("kept"), deleted: count("deleted"), left: count("left"), objects };
}

/** The report that a Cluster carries; `undefined` when there is none, or when it is about another one. */
export function farewellOf({ uid, annotations }: Pick<ObjectMeta, "uid" | "annotations">): FarewellReport | undefined {
  const text = annotations?.[FAREWELL_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const report = FarewellReport.safeParse(JSON.parse(text)).data;
    return report?.cluster === uid ? report : undefined;
  } catch {
    return undefined;
  }
}

/** How many objects a report is about. */
export const totalOf = ({ kept, deleted, left }: FarewellReport): number => kept + deleted + left;

/** `Deployment shop/web`. */
export function nameOfEntry(entry: Pick<FarewellEntry, "kind" | "namespace" | "name">): string {
  return titleOf({ kind: entry.kind, metadata: entry });
}

/** One sentence: what matters most comes first, since Events are short. */
export function summaryOf(report: FarewellReport): string {
  const part = (outcome: FarewellOutcome, words: string) => `${words} ${report[outcome]}${named(report, outcome)}`;
  return [part("left", "left behind"), part("kept", "kept"), part("deleted", "deleted")].join("; ");
}

function named(report: FarewellReport, outcome: FarewellOutcome): string {
  const names = report.objects.filter(entry => entry.outcome === outcome).map(nameOfEntry);
  if (names.length === 0) return "";
  const shown = names.slice(0, MENTIONED[outcome]);
  return ` (${shown.join(", ")}${report[outcome] > shown.length ? ", …" : ""})`;
}
