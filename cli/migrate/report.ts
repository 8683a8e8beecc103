// What does a plan say about each object, in a form that programs read?
import { z } from "zod";
import { titleOf } from "../../lib/domain/title.js";
import type { Assessment } from "./assess.js";
import { pathOf } from "./layout.js";
import type { Scope } from "./names.js";

/** A report comes with Git: what it names must not lead out of its directory. */
const FilePath = z
  .string()
  .refine(path => !path.startsWith("/") && !path.split(/[\\/]/).includes(".."), "not below the directory");

const Verdict = z.discriminatedUnion("state", [
  z.object({ state: z.enum(["ready", "managed"]) }),
  z.object({ state: z.literal("changes"), diff: z.string(), rollsOut: z.boolean() }),
  z.object({ state: z.literal("blocked"), why: z.string(), wayOut: z.string() }),
]);

const PlannedObject = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
  /** UID in the member. */
  uid: z.string(),
  verdict: Verdict,
  remarks: z.array(z.string()),
  /** Its template, below the directory; absent for what is blocked. */
  file: FilePath.optional(),
});
export type PlannedObject = z.infer<typeof PlannedObject>;

/** `report.json`; see cli/migrate/layout. No times and no versions: the same state gives the same bytes. */
export const Report = z.object({
  version: z.literal(1),
  scope: z.object({
    cluster: z.string(),
    namespace: z.string().optional(),
    kinds: z.array(z.string()).readonly().optional(),
    selector: z.string().optional(),
  }),
  objects: z.array(PlannedObject),
  /** Secrets that were not asked for. */
  secrets: z.array(z.object({ namespace: z.string().optional(), name: z.string() })),
  /** What can never be a template, or is made by what is moved. */
  leftOut: z.array(z.object({ kind: z.string(), why: z.string(), count: z.number() })),
  /** SHA-256 of every other file of the plan, by its path below the directory. */
  files: z.record(FilePath, z.string()),
});
export type Report = z.infer<typeof Report>;

/** One line of the report. */
export function plannedObject({ subject, verdict, remarks }: Assessment): PlannedObject {
  const { apiVersion, kind, metadata } = subject.template;
  const { namespace, name } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    uid: subject.live.metadata.uid ?? "",
    verdict,
    remarks: [...remarks],
    ...(verdict.state !== "blocked" && { file: pathOf(subject.template) }),
  };
}

/** An object of a plan, to a person. */
export function plannedTitle({ kind, namespace, name }: PlannedObject): string {
  return titleOf({ kind, metadata: { namespace, name } });
}

/** The files of a plan's policies and Namespaces. */
export function filesAround({ objects, files }: Pick<Report, "objects" | "files">): readonly string[] {
  const templates = new Set(objects.map(({ file }) => file));
  return Object.keys(files).filter(path => path.endsWith(".yaml") && !templates.has(path));
}

/** How many objects are in which state. */
export function countsOf({
  objects,
}: Pick<Report, "objects">): Readonly<Record<z.infer<typeof Verdict>["state"], number>> {
  const count = (state: string): number => objects.filter(({ verdict }) => verdict.state === state).length;
  return { ready: count("ready"), changes: count("changes"), managed: count("managed"), blocked: count("blocked") };
}

/** The command that makes this plan again. */
export function commandOf({ cluster, namespace, kinds, selector }: Scope): string {
  const where = namespace === undefined ? "-A" : `-n ${namespace}`;
  const which = [...(kinds ? [`--kinds ${kinds.join(",")}`] : []), ...(selector ? [`-l '${selector}'`] : [])];
  return ["holdfast migrate plan", `--from ${cluster}`, where, ...which].join(" ");
}
