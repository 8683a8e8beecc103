// What is in a member: the objects that are meant, and their Pods?
import type { KubeObject } from "../../crds/object.js";
import { PODS } from "../../lib/kube/kinds.js";
import { visitMembers, type Fleet, type Visit } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { objectKey } from "../view/adoption.js";
import { readOwnedPods } from "./owned-pods.js";
import { mayHavePods } from "./pods.js";
import { grouped, readMetadata, readNamed } from "./read.js";
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

/** One object in one member. */
export interface Whereabouts {
  readonly cluster: string;
  readonly reference: Reference;
}

/** Looks for all of them, in every member at the same time. */
export async function lookIntoMembers(
  fleet: Pick<Fleet, "all" | "member">,
  places: readonly Whereabouts[],
): Promise<Sights> {
  const groups = grouped(places, ({ cluster }) => cluster);
  const wanted = new Map(groups.map(group => [group[0].cluster, group.map(({ reference }) => reference)]));
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
  const found = await mapLimited(groups, async group => {
    // What the member does not serve is not there.
    const objects = member.objects(group[0]);
    const names = group.map(({ metadata }) => metadata);
    return objects ? readNamed(objects, names) : [];
  });
  const objects = found.flat();
  const { byWorkload } = await readOwnedPods(member, objects.filter(mayHavePods), namespace =>
    readMetadata(member.client, PODS, { namespace }),
  );
  return new Map(objects.map(live => [objectKey(live), sightingOf(live, byWorkload)]));
}

function sightingOf(live: KubeObject, pods: ReadonlyMap<string, readonly string[]>): Sighting {
  const uid = live.metadata.uid ?? "";
  if (live.kind === "Pod" && live.apiVersion === "v1") return { live, pods: [uid] };
  return mayHavePods(live) ? { live, pods: pods.get(uid) ?? [] } : { live };
}
