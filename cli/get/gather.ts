// How are the objects of host and members read for a table?
import type { KubeObject } from "../../crds/object.js";
import { isNotFound } from "../../lib/kube/errors.js";
import { apiVersionOf, ResourceClient } from "../../lib/kube/resource.js";
import { visitMembers, type Fleet } from "../access/fleet.js";
import { listProblem } from "../access/list-problem.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { objectKey, wantedIn, type WantedObjects } from "../view/adoption.js";
import { hostRows, memberRows, silentRows, type Asked, type Row } from "./rows.js";

/** Where to look. */
export type Scope = "all" | "host" | "members";

/** What a table is made of. */
export interface GetRequest {
  readonly asked: Asked;
  readonly scope: Scope;
  readonly labelSelector?: string;
  /** What shall be in which member, by its name: `wantedInMembers`; the same for all kinds. */
  readonly wanted: ReadonlyMap<string, WantedObjects>;
}

/** Reads what shall be in the members that are meant; nothing where only the host is looked at. @throws KubeError */
export async function wantedInMembers(
  { host, clusters }: Pick<Fleet, "host" | "clusters">,
  scope: Scope,
): Promise<GetRequest["wanted"]> {
  const names = scope === "host" ? [] : clusters.map(({ metadata }) => metadata.name);
  return new Map(await mapLimited(names, async name => [name, await wantedIn(host.client, name)] as const));
}

/** The rows, and the members that could not be looked at, with the reason. */
export interface Gathered {
  readonly rows: readonly Row[];
  readonly silent: ReadonlyMap<string, string>;
}

/** Reads everything at the same time. @throws Problem when the host does not answer; a member that does not is told of */
export async function gather(fleet: Fleet, request: GetRequest): Promise<Gathered> {
  const { scope, labelSelector } = request;
  const objects = await hostObjects(fleet, request);
  const selected = labelSelector === undefined ? undefined : new Set(objects.map(objectKey));
  const asked = { ...request.asked, ...(selected && { selected }) };
  const own = scope === "members" ? [] : hostRows(asked.resource, objects);
  if (scope === "host") return { rows: own, silent: new Map() };

  const visits = await visitMembers(fleet, member => memberObjects(member, request));
  const rows = visits.flatMap(visit => {
    const want = request.wanted.get(visit.cluster) ?? new Map<string, never>();
    return "answer" in visit
      ? memberRows(asked, visit.cluster, visit.answer, want)
      : silentRows(asked, visit.cluster, want);
  });
  const silent = new Map(visits.flatMap(visit => ("why" in visit ? [[visit.cluster, visit.why] as const] : [])));
  return { rows: [...own, ...rows], silent };
}

async function hostObjects({ host }: Fleet, request: GetRequest): Promise<readonly KubeObject[]> {
  try {
    return await objectsIn(new ResourceClient(host.client, request.asked.resource), request);
  } catch (error) {
    throw listProblem(error, request.asked.resource, host.connection.server);
  }
}

/** A kind that the member does not serve is not there. */
async function memberObjects(member: MemberAccess, request: GetRequest): Promise<readonly KubeObject[]> {
  const { resource } = request.asked;
  const objects = member.objects({ apiVersion: apiVersionOf(resource), kind: resource.kind });
  return objects ? objectsIn(objects, request) : [];
}

async function objectsIn(
  objects: ResourceClient,
  { asked: { names, namespace, resource }, labelSelector }: GetRequest,
): Promise<readonly KubeObject[]> {
  const place = resource.namespaced ? namespace : undefined;
  if (names.length === 0) return listed(objects, labelSelector, place);
  const found = await Promise.all(names.map(name => objects.find({ namespace: place, name })));
  return found.filter(object => object !== undefined);
}

async function listed(
  objects: ResourceClient,
  labelSelector: string | undefined,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  try {
    return (await objects.list({ labelSelector }, namespace)).items;
  } catch (error) {
    // The kind went between discovery and this moment.
    if (isNotFound(error)) return [];
    throw error;
  }
}
