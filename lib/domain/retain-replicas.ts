// How a replica count is left to the member: to its autoscaler, or to people there.
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { isOurs } from "./field-entries.js";
import { isRecord } from "./json-value.js";
import type { PatchOperation } from "./json-patch.js";
import { guardOperations } from "./patch-guard.js";

/** The manifest without `spec.replicas`. */
export function withoutReplicas(manifest: KubeObject): KubeObject {
  if (!isRecord(manifest["spec"])) return manifest;
  const { replicas: _theirs, ...spec } = manifest["spec"];
  return { ...manifest, spec };
}

/**
 * The patch by which we cease to own `spec.replicas`; `undefined` when we do not. It comes before an apply without the
 * field: leaving out what we alone own would reset it to 1 (tried; design 6). Guarded by uid and resourceVersion.
 */
export function yieldReplicasPatch(live: KubeObject): readonly PatchOperation[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const kept = entries.map(entry => (isOurs(entry) ? withoutReplicasField(entry) : entry));
  if (kept.every((entry, i) => entry === entries[i])) return undefined;
  return [...guardOperations(live), { op: "replace", path: "/metadata/managedFields", value: kept }];
}

function withoutReplicasField(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const spec = entry.fieldsV1?.["f:spec"];
  if (!isRecord(spec) || !("f:replicas" in spec)) return entry;
  const { "f:replicas": _theirs, ...rest } = spec;
  return { ...entry, fieldsV1: { ...entry.fieldsV1, "f:spec": rest } };
}
