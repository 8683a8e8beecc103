// What is in a member: the objects that are meant, and their Pods?
import type { KubeObject } from "../../crds/object.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { PODS } from "../../lib/kube/kinds.js";
import { visitMembers, type Fleet, type Visit } from "../access/fleet.js";
import type { MemberAccess } from "../access/member.js";
import { objectKey } from "../view/adoption.js";
import { mayHavePods, podsByWorkload } from "./pods.js";
import { grouped, readMetadata, readNamed, type Bare } from "./read.js";
import type { Reference } from "./request.js";

/** One object as it is there, and the UIDs of its Pods; `pods` is absent for what can have none. */
export interface Sighting {
  readonly live: KubeObject;
  readonly pods?: readonly string[];
}

/** What is there, by `objectKey`. */
export type Sight = ReadonlyMap<string, Sighting>;

/** By cluster; members that could not be looked at say why. */
export type Sights = ReadonlyMap<string, Visit<Sight>>;

/** Looks for the objects that are wanted in each member, at the same time in all. */
export async function lookIntoMembers(
  fleet: Pick<Fleet, "all" | "member">,
  wanted: ReadonlyMap<string, readonly Reference[]>,
): Promise<Sights> {
  const clusters = fleet.all.filter(({ metadata }) => wanted.has(metadata.name));
  const visits = await visitMembers({ clusters, member: cluster => fleet.member(cluster) }, member =>
    lookInto(member, wanted.get(member.name) ?? []),
  );
  return new Map(visits.map(visit => [visit.cluster, visit]));
}

async function lookInto(member: MemberAccess, wanted: readonly Reference[]): Promise<Sight> {
  const groups = grouped(wanted, ({ apiVersion, kind, metadata }) =>
    [apiVersion, kind, metadata.namespace ?? ""].join("|"),
  );
  const found = await Promise.all(
    groups.map(async group => {
      // What the member does not serve is not there.
      const objects = member.objects(group[0]);
      const names = group.map(({ metadata }) => metadata);
      return objects ? readNamed(objects, names) : [];
    }),
  );
  const objects = found.flat();
  const pods = await podsOf(member, objects.filter(mayHavePods));
  return new Map(objects.map(live => [objectKey(live), sightingOf(live, pods)]));
}

function sightingOf(live: KubeObject, pods: ReadonlyMap<string, readonly string[]>): Sighting {
  const uid = live.metadata.uid ?? "";
  if (live.kind === "Pod" && live.apiVersion === "v1") return { live, pods: [uid] };
  return mayHavePods(live) ? { live, pods: pods.get(uid) ?? [] } : { live };
}

/** What may stand between a workload and its Pods. */
const BETWEEN = [
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "apps/v1", kind: "StatefulSet" },
  { apiVersion: "batch/v1", kind: "Job" },
];

async function podsOf(
  member: MemberAccess,
  workloads: readonly KubeObject[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const namespaces = [...new Set(workloads.flatMap(({ metadata }) => metadata.namespace ?? []))];
  const kinds = BETWEEN.flatMap(({ apiVersion, kind }) => member.discovery.find(apiVersion, kind) ?? []);
  const pods: Bare[] = [];
  const between: Bare[] = [];
  for (const namespace of namespaces) {
    const [own, ...others] = await Promise.all([PODS, ...kinds].map(kind => inNamespace(member, kind, namespace)));
    pods.push(...(own ?? []));
    between.push(...others.flat());
  }
  const uids = new Set(workloads.flatMap(({ metadata }) => metadata.uid ?? []));
  return podsByWorkload(uids, pods, between);
}

function inNamespace(
  member: MemberAccess,
  resource: typeof PODS | ServedResource,
  namespace: string,
): Promise<readonly Bare[]> {
  return readMetadata(member.client, resource, { namespace });
}
