// Which Pods do the workloads of a member have there?
import type { KubeObject } from "../../crds/object.js";
import type { MemberAccess } from "../access/member.js";
import { podsByWorkload } from "./pods.js";
import { readMetadata, type Bare } from "./read.js";

/** What may stand between a workload and its Pods. */
const BETWEEN = [
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "apps/v1", kind: "StatefulSet" },
  { apiVersion: "batch/v1", kind: "Job" },
];

/** The Pods of the namespaces that were read, and the UIDs of each workload's own, by the workload's uid. */
export interface OwnedPods<Pod> {
  readonly pods: readonly Pod[];
  readonly byWorkload: ReadonlyMap<string, readonly string[]>;
}

/** By a few LISTs for each namespace with a workload; `podsIn` reads as much of its Pods as is needed. @throws KubeError */
export async function readOwnedPods<Pod extends Bare>(
  member: MemberAccess,
  workloads: readonly KubeObject[],
  podsIn: (namespace: string) => Promise<readonly Pod[]>,
): Promise<OwnedPods<Pod>> {
  const namespaces = [...new Set(workloads.flatMap(({ metadata }) => metadata.namespace ?? []))];
  const kinds = BETWEEN.flatMap(({ apiVersion, kind }) => member.discovery.find(apiVersion, kind) ?? []);
  const pods: Pod[] = [];
  const between: Bare[] = [];
  for (const namespace of namespaces) {
    const [own, ...others] = await Promise.all([
      podsIn(namespace),
      ...kinds.map(kind => readMetadata(member.client, kind, { namespace })),
    ]);
    pods.push(...own);
    between.push(...others.flat());
  }
  const uids = new Set(workloads.flatMap(({ metadata }) => metadata.uid ?? []));
  return { pods, byWorkload: podsByWorkload(uids, pods, between) };
}
