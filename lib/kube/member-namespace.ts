// Which namespaces of a member are made by us, and how is one made when an object needs it?
import type { KubeObject } from "../../crds/object.js";
import { FIELD_MANAGER, MANAGED_LABEL, WORK_ID_LABEL } from "../domain/marks.js";
import { executionNamespace, isReservedNamespace, workName, workPermanentId } from "../domain/names.js";
import { pruneForMember } from "../domain/prune.js";
import { isConflict } from "./errors.js";
import type { Member } from "./member.js";
import { apiVersionOf } from "./resource.js";
import { NAMESPACES } from "./kinds.js";

const SYSTEM_PREFIXES = ["kube-", "karmada-", "holdfast-"];
/** Every cluster gives these to its own namespaces: a copy would name the host's. */
const OWN_TO_A_CLUSTER = ["kubernetes.io/metadata.name", "openshift.io/sa.scc."];

/** Whether a namespace belongs to a cluster or to this system, so that we neither make nor remove it (design 10). */
export function isSystemNamespace(name: string): boolean {
  return name === "default" || isReservedNamespace(name) || SYSTEM_PREFIXES.some(prefix => name.startsWith(prefix));
}

/** The Work id of a Namespace in a member; the namespace we make on demand carries it as one a policy sends (design 14). */
export function namespaceWorkId(cluster: string, name: string): string {
  return workPermanentId(executionNamespace(cluster), workName({ kind: "Namespace", name }));
}

/** Whether we made this namespace of the member: both marks, and the id is the one that we would give it (design 4). */
export function isOurNamespace(cluster: string, namespace: KubeObject): boolean {
  const { name, labels } = namespace.metadata;
  return labels?.[MANAGED_LABEL] === "true" && labels[WORK_ID_LABEL] === namespaceWorkId(cluster, name);
}

/**
 * What is applied for a namespace: our two labels, and the labels and annotations that the host's namespace has for any
 * cluster (Pod security, sidecar injection), as Karmada copies them (spec/karmada 8.1).
 */
export function memberNamespaceManifest(
  cluster: string,
  name: string,
  hostNamespace: KubeObject | undefined,
): KubeObject {
  const { labels, annotations } = hostNamespace ? pruneForMember(hostNamespace).metadata : {};
  const marks = { [MANAGED_LABEL]: "true", [WORK_ID_LABEL]: namespaceWorkId(cluster, name) };
  const notes = forAnyCluster(annotations);
  return {
    apiVersion: apiVersionOf(NAMESPACES),
    kind: NAMESPACES.kind,
    metadata: {
      name,
      labels: { ...forAnyCluster(labels), ...marks },
      ...(Object.keys(notes).length > 0 && { annotations: notes }),
    },
  };
}

/**
 * Makes a namespace in a member when it is not there; one that is there is left as it is. Safe to call at the same time
 * as others, ours or not: whoever comes second changes nothing.
 * @throws KubeError when the member refuses; Error when the namespace is being deleted, or is one we never make.
 */
export async function ensureMemberNamespace(
  member: Member,
  name: string,
  hostNamespace: KubeObject | undefined,
): Promise<void> {
  if (isSystemNamespace(name)) {
    throw new Error(`namespace ${name} is a system namespace and is not made in ${member.name}; make it there by hand`);
  }
  const live = await member.namespaces.find({ name });
  if (live?.metadata.deletionTimestamp) throw new Error(`namespace ${name} is being deleted in ${member.name}`);
  if (live) return;

  const manifest = memberNamespaceManifest(member.name, name, hostNamespace);
  try {
    const answer = await member.namespaces.apply(manifest, { manager: FIELD_MANAGER });
    if (!answer.created && madeByOthers(answer.object)) await giveBack(member, answer.object);
  } catch (error) {
    // Somebody made it a moment ago with other values: theirs hold.
    if (!isConflict(error)) throw error;
  }
}

function forAnyCluster(map: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const entries = Object.entries(map ?? {});
  return Object.fromEntries(entries.filter(([key]) => !OWN_TO_A_CLUSTER.some(own => key.startsWith(own))));
}

function madeByOthers(namespace: KubeObject): boolean {
  const entries = namespace.metadata.managedFields ?? [];
  return entries.some(({ manager, operation }) => manager !== FIELD_MANAGER || operation !== "Apply");
}

/** An apply of nothing takes away exactly what our apply had added, and our managedFields entry with it. */
async function giveBack(member: Member, namespace: KubeObject): Promise<void> {
  const { name, uid } = namespace.metadata;
  const empty = { apiVersion: apiVersionOf(NAMESPACES), kind: NAMESPACES.kind, metadata: { name, uid } };
  await member.namespaces.apply(empty, { manager: FIELD_MANAGER });
}
