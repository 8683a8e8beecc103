// What of an object may leave the house? Who it is, what it asks for and how it does: never what it carries.
import type { KubeObject } from "../../crds/object.js";
import { Config } from "../../lib/engine/config.js";

/** Stands in the place of what was taken out. */
export const REDACTED = "REDACTED";

type Json = Readonly<Record<string, unknown>>;

/** Domains whose annotations are ours to read, and hold no content of anybody's object. */
const OWN_DOMAINS = /(^|\.)(karmada\.io|holdfast\.dev)\//;
/** These two list override policies with the values that they set. */
const WITH_VALUES = /^policy\.karmada\.io\/applied-(cluster-)?overrides$/;
/** Environment that the operator itself reads, and that holds no secret. */
const OPEN_ENV: ReadonlySet<string> = new Set(Object.keys(Config.shape).filter(name => !name.endsWith("_HEADERS")));

/** Fields whose content is somebody's own, wherever they stand below a kind. */
const HIDDEN: Readonly<Record<string, ReadonlySet<string>>> = {
  Work: new Set(["manifests", "status"]),
  AdoptionSnapshot: new Set(["object", "compressed"]),
  ResourceBinding: new Set(["status"]),
  ClusterResourceBinding: new Set(["status"]),
  OverridePolicy: new Set(["value"]),
  ClusterOverridePolicy: new Set(["value"]),
  Cluster: new Set(["proxyHeader"]),
  MutatingWebhookConfiguration: new Set(["path", "url"]),
  ValidatingWebhookConfiguration: new Set(["path", "url"]),
};

/** Pure: the object without content, without managedFields, and without annotations of others. */
export function redacted(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status, ...rest } = object;
  const hidden = HIDDEN[kind] ?? new Set<string>();
  const parts = Object.entries(rest).map(([field, value]) => [field, without(value, hidden)]);
  return {
    ...{ apiVersion, kind, metadata: openMetadata(metadata) },
    ...(Object.fromEntries(parts) as Json),
    ...(status !== undefined && { status: without(status, hidden) }),
  };
}

function openMetadata({ managedFields: _dropped, annotations, ...metadata }: KubeObject["metadata"]) {
  if (!annotations) return metadata;
  const open = Object.entries(annotations).map(([key, value]) => [
    key,
    OWN_DOMAINS.test(key) && !WITH_VALUES.test(key) ? value : REDACTED,
  ]);
  return { ...metadata, annotations: Object.fromEntries(open) as Record<string, string> };
}

function without(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(item => without(item, hidden));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([field, inner]) => [field, fieldWithout(field, inner, hidden)]);
  return Object.fromEntries(fields);
}

function fieldWithout(field: string, value: unknown, hidden: ReadonlySet<string>): unknown {
  if (field === "env" && Array.isArray(value)) return value.map(openEnv);
  if (field === "manifests" && hidden.has(field) && Array.isArray(value)) return value.map(identityOf);
  // `status` of a condition is a word; that of a member's object is its content.
  if (hidden.has(field) && !(field === "status" && typeof value === "string")) return REDACTED;
  return without(value, hidden);
}

function openEnv(variable: unknown): unknown {
  const { name, value, ...from } = variable as { readonly name: string; readonly value?: string };
  if (value === undefined) return { name, ...from };
  return { name, value: OPEN_ENV.has(name) ? value : REDACTED };
}

function identityOf(manifest: unknown): unknown {
  const { apiVersion, kind, metadata } = manifest as KubeObject;
  return { apiVersion, kind, metadata: { namespace: metadata.namespace, name: metadata.name }, content: REDACTED };
}

const NAME = String.raw`\b[\w-]*(?:token|password|passwd|secret|api[_-]?key|client-key-data|authorization)`;

/** What looks like a credential wherever it stands; the second net, for text that nobody can take apart. */
const CREDENTIALS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/"']+@/gi, `$1${REDACTED}@`],
  [
    // In a line of JSON the quotes of a quoted text have backslashes.
    new RegExp(String.raw`(${NAME}\\*["']?[ \t]*[:=][ \t]*)(\\*["'])(?!REDACTED).+?\2`, "gi"),
    `$1$2${REDACTED}$2`,
  ],
  [new RegExp(String.raw`(${NAME}\\*["']?[ \t]*[:=][ \t]*)(?!REDACTED)[^\s"'\\,}]{4,}`, "gi"), `$1${REDACTED}`],
  // Admission's path has a secret part.
  [/\/(mutate|validate)\/[A-Za-z0-9-]+/g, `/$1/${REDACTED}`],
  [/(Using API path: )[^\s"]+/g, `$1${REDACTED}`],
];

/** Text without anything that looks like a credential. */
export function withoutCredentials(text: string): string {
  return CREDENTIALS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
