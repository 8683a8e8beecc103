// How is an object kept as it was before it was taken over, and how is it got back?
import { gunzipSync, gzipSync } from "node:zlib";
import type { AdoptionSnapshot, AdoptionSnapshotSpec } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { isRecord } from "./json-value.js";
import { WORK_ID_LABEL } from "./marks.js";
import { clusterOf, nameSuffix, workPermanentId } from "./names.js";
import { gvkOf } from "../../crds/object.js";

/** Type of the Secrets that hold Secrets as they were. */
export const SNAPSHOT_SECRET_TYPE = "holdfast.dev/adoption-snapshot";
/** Where they live: beside the members' credentials, the one namespace where the operator may make and delete Secrets. */
export const SNAPSHOT_SECRET_NAMESPACE = "karmada-cluster";
/** The one key in such a Secret: gzipped JSON. */
const SECRET_KEY = "object.json.gz";
const LAST_APPLIED_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * How much of an object is kept, the best first: as it is; gzipped; or, where even that is too large, its metadata alone,
 * by which ownership can still be given back but values cannot.
 */
export type Keeping = "whole" | "compressed" | "partial";

/** JSON beyond this size is gzipped, bytes: an API server stores 1.5 MiB, with its own account of who owns which field. */
const WHOLE_LIMIT = 400 * 1024;

/** What is to be kept, and for whom. */
export interface SnapshotRequest {
  readonly work: Work;
  /** The object as it was read live, with its managedFields. */
  readonly live: KubeObject;
  readonly takenAt: Date;
  readonly keeping: Keeping;
}

/** A snapshot, and the Secret that belongs to it when the object is one. */
export interface SnapshotObjects {
  readonly snapshot: AdoptionSnapshot;
  readonly secret?: KubeObject;
}

/** The ways in which an object can be kept, the best first. A Secret is gzipped in any case. */
export function keepingsFor(live: KubeObject): readonly Keeping[] {
  const isLarge = isSecret(live) || JSON.stringify(live).length > WHOLE_LIMIT;
  return isLarge ? ["compressed", "partial"] : ["whole", "compressed", "partial"];
}

/** The objects to store, as they are applied. */
export function planSnapshot(request: SnapshotRequest): SnapshotObjects {
  const { work, live, keeping } = request;
  const { namespace = "" } = work.metadata;
  const name = snapshotName(work, live);
  const metadata = { name, namespace, labels: snapshotLabels(work) };
  const apiVersion = "holdfast.dev/v1alpha1" as const;
  const kind = "AdoptionSnapshot" as const;
  const facts = { ...factsOf(request), ...(keeping === "partial" ? { partial: true } : {}) };
  const kept = keeping === "partial" ? metadataOnly(live) : live;
  if (isSecret(live)) {
    const secretRef = { namespace: SNAPSHOT_SECRET_NAMESPACE, name: `adopted-${workPermanentId(namespace, name)}` };
    const secret = secretWith(kept, { ...secretRef, labels: metadata.labels });
    return { secret, snapshot: { apiVersion, kind, metadata, spec: { ...facts, secretRef } } };
  }
  const content = keeping === "compressed" ? { compressed: gzipped(kept) } : { object: kept };
  return { snapshot: { apiVersion, kind, metadata, spec: { ...facts, ...content } } };
}

function secretWith(kept: KubeObject, metadata: KubeObject["metadata"]): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    type: SNAPSHOT_SECRET_TYPE,
    data: { [SECRET_KEY]: gzipped(kept) },
  };
}

/** By this label a Work finds its snapshots, and many of them go with one request. */
export function snapshotLabels({ metadata: { namespace = "", name } }: Work): Record<string, string> {
  return { [WORK_ID_LABEL]: workPermanentId(namespace, name) };
}

/**
 * The object that a snapshot holds; of a Secret, from `secret`. `undefined` when it is not there, or is not the object
 * that the snapshot names: somebody has written to it.
 */
export function objectIn({ spec }: AdoptionSnapshot, secret?: KubeObject): KubeObject | undefined {
  const { object, compressed, secretRef } = spec;
  const text = secretRef ? secretText(secret) : compressed;
  const found = text === undefined ? object : ungzipped(text);
  return isObject(found) && found.metadata.uid === spec.uid ? found : undefined;
}

/** The Work's own name; where it has several objects, with a suffix for each. */
function snapshotName({ metadata, spec }: Work, live: KubeObject): string {
  const { name } = metadata;
  if ((spec.workload?.manifests ?? []).length <= 1) return name;
  const { group, kind } = gvkOf(live);
  const { namespace, name: of } = live.metadata;
  return `${name.slice(0, 230).replace(/[-.]+$/, "")}.${nameSuffix({ group, kind, namespace, name: of })}`;
}

function factsOf({ work, live, takenAt }: SnapshotRequest): AdoptionSnapshotSpec {
  const { namespace, name, uid, resourceVersion } = live.metadata;
  if (!uid || !resourceVersion) {
    throw new Error(`${live.kind} ${name} has no uid and resourceVersion; read it from the cluster first`);
  }
  return {
    cluster: clusterOf(work),
    workName: work.metadata.name,
    apiVersion: live.apiVersion,
    kind: live.kind,
    ...(namespace ? { namespace } : {}),
    name,
    uid,
    resourceVersion,
    takenAt: takenAt.toISOString().replace(/\.\d+Z$/, "Z"),
  };
}

// Without kubectl's note of what it had applied: it repeats the values that are too large.
function metadataOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { annotations = {}, ...rest } = metadata;
  const { [LAST_APPLIED_ANNOTATION]: _large, ...kept } = annotations;
  return { apiVersion, kind, metadata: { ...rest, annotations: kept } };
}

const isSecret = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === "v1" && kind === "Secret";

function gzipped(object: KubeObject): string {
  return gzipSync(JSON.stringify(object)).toString("base64");
}

function secretText(secret: KubeObject | undefined): string {
  const data = secret?.["data"];
  const text = isRecord(data) ? data[SECRET_KEY] : undefined;
  return typeof text === "string" ? text : "";
}

function ungzipped(text: string): unknown {
  try {
    return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["kind"] === "string";
}
