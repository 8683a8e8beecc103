// Which manifest does an object of a member have as a template?
import type { KubeObject } from "../../crds/object.js";
import { isRecord, ownValue, updateAt } from "../../lib/domain/json-value.js";
import { RETAIN_REPLICAS_LABEL } from "../../lib/domain/marks.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import { pruneServerChoices } from "../../lib/domain/prune-kinds.js";
import { withoutReplicas } from "../../lib/domain/retain-replicas.js";

/** What else counts beside the object itself. */
export interface TemplateOptions {
  /** An autoscaler in the member sets its replica count. */
  readonly isScaled?: boolean;
}

/**
 * What people and their tools wrote, and nothing that the member allocated: no addresses, no node ports, volumes or nodes
 * that nobody asked for. An object that is scaled leaves its replica count to the member. Pure.
 */
export function templateFrom(live: KubeObject, { isScaled = false }: TemplateOptions = {}): KubeObject {
  const written = ownedManifest(withoutPropagators(live));
  const bare = pruneServerChoices(written);
  const manifest = askedFor(live).reduce<KubeObject>((kept, asked) => withAsked(written, kept, asked), bare);
  return isScaled ? retaining(manifest) : manifest;
}

/** With the label by which the member keeps its own replica count. */
function retaining(manifest: KubeObject): KubeObject {
  const labels = { ...manifest.metadata.labels, [RETAIN_REPLICAS_LABEL]: "true" };
  return withoutReplicas({ ...manifest, metadata: { ...manifest.metadata, labels } });
}

/** Earlier control planes: what they wrote was the word of people. */
const PROPAGATORS: ReadonlySet<string> = new Set(["karmada-controller-manager", "karmada-agent"]);

function withoutPropagators(live: KubeObject): KubeObject {
  const { managedFields } = live.metadata;
  const entries = managedFields?.map(entry =>
    PROPAGATORS.has(entry.manager ?? "") ? { ...entry, manager: `earlier ${entry.manager}` } : entry,
  );
  return entries ? { ...live, metadata: { ...live.metadata, managedFields: entries } } : live;
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * What is known to have been asked for. A server fills its own choices in before it takes down who wrote what, except for
 * server-side apply; kubectl keeps its own note of what it was given.
 */
function askedFor(live: KubeObject): readonly unknown[] {
  const managedFields = (live.metadata.managedFields ?? []).filter(({ operation }) => operation === "Apply");
  const applied = ownedManifest({ ...live, metadata: { ...live.metadata, managedFields } });
  return [...(managedFields.length > 0 ? [applied] : []), noteOf(live)];
}

function noteOf({ metadata }: KubeObject): unknown {
  try {
    return JSON.parse(metadata.annotations?.[LAST_APPLIED] ?? "null") as unknown;
  } catch {
    return undefined;
  }
}

/** What was taken out of `written` and was asked for is put back. */
function withAsked(written: KubeObject, bare: KubeObject, asked: unknown): KubeObject {
  return restored(written, bare, asked) as KubeObject;
}

function restored(written: unknown, bare: unknown, asked: unknown): unknown {
  if (asked === undefined || asked === null) return bare;
  if (bare === undefined) return written;
  if (Array.isArray(written) && Array.isArray(bare)) return restoredItems(written, bare, asked);
  if (!isRecord(written) || !isRecord(bare) || !isRecord(asked)) return bare;
  const fields = Object.entries(written).map(([key, value]) => [
    key,
    restored(value, ownValue(bare, key), ownValue(asked, key)),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Lists that were shortened stay so: what went out of them is injected, never asked for. */
function restoredItems(written: readonly unknown[], bare: readonly unknown[], asked: unknown): unknown {
  if (written.length !== bare.length || !Array.isArray(asked)) return bare;
  return written.map((item, i) =>
    restored(
      item,
      bare[i],
      asked.find(other => isSameItem(item, other)),
    ),
  );
}

function isSameItem(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = ["name", "port", "protocol"].filter(key => key in a && key in b);
  return keys.length > 0 && keys.every(key => a[key] === b[key]);
}

/** The kinds and names of what autoscalers scale: `apps/Deployment shop/web`. */
export function scaledBy(autoscalers: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(
    autoscalers.flatMap(({ metadata: { namespace = "" }, spec }) => {
      const target = isRecord(spec) ? spec["scaleTargetRef"] : undefined;
      if (!isRecord(target)) return [];
      const [group = ""] = String(target["apiVersion"] ?? "").includes("/")
        ? String(target["apiVersion"]).split("/")
        : [];
      return [scaleKey(group, String(target["kind"]), namespace, String(target["name"]))];
    }),
  );
}

/** Key of an object among what is scaled. */
export function scaleKey(group: string, kind: string, namespace: string, name: string): string {
  return `${group}/${kind} ${namespace}/${name}`;
}

/** The manifest without fields that stay empty; how a file shows it. */
export function tidy(manifest: KubeObject): KubeObject {
  return ["labels", "annotations"].reduce(
    (object, field) =>
      updateAt(object, ["metadata", field], map => (isRecord(map) && Object.keys(map).length === 0 ? undefined : map)),
    manifest,
  );
}
