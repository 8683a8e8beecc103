// What of an object may travel to a member?
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import { updateAt, withoutKeys } from "./json-value.js";
import { RETAIN_REPLICAS_LABEL } from "./marks.js";
import { pruneClusterOwned } from "./prune-kinds.js";

/** Domains whose labels and annotations are words between people, tools and us on the host; subdomains included. */
const HOST_DOMAINS = [
  "karmada.io",
  "kubefed.io",
  "holdfast.dev",
  "pepr.dev",
  "argocd.argoproj.io",
  "toolkit.fluxcd.io",
];

const HOST_KEYS = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.daemonset.template.generation",
  // Where the host bound and placed a claim: a member that reads these takes its own new claim for a lost one.
  "pv.kubernetes.io/bind-completed",
  "pv.kubernetes.io/bound-by-controller",
  "volume.kubernetes.io/selected-node",
  "volume.kubernetes.io/storage-provisioner",
  "volume.beta.kubernetes.io/storage-provisioner",
]);

// Controllers write these beside what they roll out: revision, revision-history, desired-replicas.
const HOST_PREFIXES = ["deployment.kubernetes.io/"];

/** Whether a label or annotation has a meaning on the host only, and so never travels. */
export function isHostOnlyKey(key: string): boolean {
  // The one word that the Work needs: it says that the member keeps its own replica count (design 6).
  if (key === RETAIN_REPLICAS_LABEL) return false;
  if (HOST_KEYS.has(key) || HOST_PREFIXES.some(prefix => key.startsWith(prefix))) return true;
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  return HOST_DOMAINS.some(host => domain === host || domain.endsWith(`.${host}`));
}

/**
 * The manifest of an object for another cluster: no status, of `metadata` only name, namespace, labels and annotations,
 * none of the host's own keys ({@link isHostOnlyKey}), and nothing that belongs to one cluster's copy of its kind.
 * Never changes the input. Source: spec/karmada 2.4, cases 16, 33 and 58.
 */
export function pruneForMember(object: KubeObject): KubeObject {
  const bare = updateAt({ ...object, metadata: pruneMetadata(object.metadata) }, ["status"], () => undefined);
  return EMPTY_TIMESTAMPS.reduce(dropEmptyTimestamp, pruneClusterOwned(bare));
}

function pruneMetadata({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  const keptLabels = withoutKeys(labels, isHostOnlyKey);
  const keptAnnotations = withoutKeys(annotations, isHostOnlyKey);
  return {
    name,
    ...(namespace && { namespace }),
    ...(keptLabels && { labels: keptLabels }),
    ...(keptAnnotations && { annotations: keptAnnotations }),
  };
}

// API servers print `creationTimestamp: null` in every pod template; nobody wrote it and nobody needs it.
const EMPTY_TIMESTAMPS: readonly (readonly string[])[] = [
  ["spec", "template", "metadata"],
  ["spec", "jobTemplate", "metadata"],
  ["spec", "jobTemplate", "spec", "template", "metadata"],
];

function dropEmptyTimestamp(object: KubeObject, path: readonly string[]): KubeObject {
  return updateAt(object, [...path, "creationTimestamp"], time => time ?? undefined);
}
