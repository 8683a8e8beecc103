// What is a binding, a Work, an execution namespace or a permanent id called?
import { createHash } from "node:crypto";
import { gvkOf, type KubeObject } from "../../crds/object.js";

/** Names one object of the host; `group` and `namespace` are empty or absent for core and cluster-scoped kinds. */
export interface NamedObject {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What the names of an object's binding and Works are made from. */
export function namedObject(object: KubeObject): NamedObject {
  const { group, kind } = gvkOf(object);
  const { namespace, name } = object.metadata;
  return { group, kind, namespace, name };
}

/** `suffix: true` is for the second comer: the plain name is taken by another object (design 7). */
export interface NameOptions {
  readonly suffix?: boolean;
}

/**
 * The namespace of every UUIDv5 that we make; fixed for ever, because members carry ids derived from it.
 * It is itself the UUIDv5 of `holdfast.dev` in the DNS namespace of RFC 9562.
 */
export const HOLDFAST_NAMESPACE_UUID = "4492c53c-331c-59c0-bc67-304010cc0165";

const EXECUTION_NAMESPACE_PREFIX = "karmada-es-";
const OWN_NAMESPACE = "holdfast-system";
const RESERVED_NAMESPACES: ReadonlySet<string> = new Set(["karmada-system", "karmada-cluster", "pepr-system"]);
const RESERVED_PREFIXES = ["kube-", EXECUTION_NAMESPACE_PREFIX];

const SAFE_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const DNS_1123_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_NAME_LENGTH = 253;

/** FNV-1a, 32 bits, over the UTF-8 bytes; an unsigned integer. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

/** Maps every character into an alphabet that spells no words and is legal in a DNS label (E in spec/karmada 2.1). */
export function safeEncode(text: string): string {
  return [...text].map(char => SAFE_ALPHABET.charAt(char.charCodeAt(0) % SAFE_ALPHABET.length)).join("");
}

/** Tells apart what Karmada's names do not: group, exact case, and whatever was cut off (design 7). */
export function nameSuffix(object: NamedObject): string {
  const { group = "", kind, namespace = "", name } = object;
  return encodedHash([group, kind, namespace, name].join("/"));
}

/**
 * Name of the ResourceBinding or ClusterResourceBinding of a template (spec/karmada 2.1). Always a legal name:
 * where Karmada's own would not be one (too long, odd characters), the suffix is added unasked.
 */
export function bindingName(object: NamedObject, options: NameOptions = {}): string {
  return legalName(`${readable(object.name)}-${object.kind.toLowerCase()}`, object, options);
}

/**
 * Name of the Work that carries an object into a member; the same in every execution namespace (spec/karmada 2.1).
 * Always a legal name, as for {@link bindingName}.
 */
export function workName(object: NamedObject, options: NameOptions = {}): string {
  const name = readable(object.name);
  const parts = [name, object.kind.toLowerCase()];
  if (object.namespace) parts.unshift(object.namespace);
  return legalName(`${name}-${encodedHash(parts.join("-").toLowerCase())}`, object, options);
}

/** The host namespace that holds one member's Works. */
export function executionNamespace(cluster: string): string {
  return `${EXECUTION_NAMESPACE_PREFIX}${cluster}`;
}

/** The member whose Works a namespace holds; `undefined` for any other namespace. */
export function clusterOfExecutionNamespace(namespace: string): string | undefined {
  if (!namespace.startsWith(EXECUTION_NAMESPACE_PREFIX)) return undefined;
  return namespace.slice(EXECUTION_NAMESPACE_PREFIX.length) || undefined;
}

/** The member that a Work is for; empty for one outside of every execution namespace, which is for none. */
export function clusterOf({ metadata }: { readonly metadata: { readonly namespace?: string } }): string {
  return clusterOfExecutionNamespace(metadata.namespace ?? "") ?? "";
}

/**
 * Whether a namespace belongs to Kubernetes, to Karmada or to this operator, so that nothing in it is a template.
 * `ownNamespace` is where the operator was installed. Source: spec/karmada 2.1 and 4.1, design 10 and 14.
 */
export function isReservedNamespace(namespace: string, ownNamespace: string = OWN_NAMESPACE): boolean {
  if (namespace === ownNamespace || namespace === OWN_NAMESPACE) return true;
  return RESERVED_NAMESPACES.has(namespace) || RESERVED_PREFIXES.some(prefix => namespace.startsWith(prefix));
}

/**
 * UUID version 5: SHA-1 over a namespace UUID and a name (RFC 9562, 5.5).
 * @throws RangeError when `namespaceUuid` is not a UUID
 */
export function uuidV5(namespaceUuid: string, name: string): string {
  if (!UUID.test(namespaceUuid)) throw new RangeError(`namespaceUuid: "${namespaceUuid}" is not a UUID`);
  const namespaceBytes = Buffer.from(namespaceUuid.replaceAll("-", ""), "hex");

  const bytes = createHash("sha1").update(namespaceBytes).update(name, "utf8").digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The id of a Work and the mark on its member object: a host rebuilt from Git knows its own (design 4). */
export function workPermanentId(namespace: string, name: string): string {
  return idFor(`${namespace}/${name}`);
}

/** The id of a ResourceBinding or ClusterResourceBinding; `namespace` is absent for the latter. */
export function bindingPermanentId(kind: string, namespace: string | undefined, name: string): string {
  return idFor(`${kind}/${namespace ?? ""}/${name}`);
}

// Every reconcile asks for the same few ids again and again; hashing them each time showed in profiles.
const ids = new Map<string, string>();
const REMEMBERED_IDS = 20_000;

function idFor(name: string): string {
  const known = ids.get(name);
  if (known !== undefined) return known;
  if (ids.size >= REMEMBERED_IDS) ids.clear();
  const id = uuidV5(HOLDFAST_NAMESPACE_UUID, name);
  ids.set(name, id);
  return id;
}

function readable(name: string): string {
  return name.replaceAll(":", ".").toLowerCase();
}

function encodedHash(text: string): string {
  return safeEncode(String(fnv1a32(text)));
}

function legalName(plain: string, object: NamedObject, { suffix = false }: NameOptions): string {
  const legal = plain.length <= MAX_NAME_LENGTH && DNS_1123_SUBDOMAIN.test(plain);
  if (legal && !suffix) return plain;

  const tail = nameSuffix(object);
  const head = toSubdomain(plain).slice(0, MAX_NAME_LENGTH - tail.length - 1);
  return `${head.replace(/[-.]+$/, "")}-${tail}`;
}

function toSubdomain(text: string): string {
  return text
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/-*\.[-.]*/g, ".")
    .replace(/^[-.]+|[-.]+$/g, "");
}
