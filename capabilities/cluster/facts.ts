// What does a member have and serve?
import type { APIEnablement, NodeSummary, ResourceSummary } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { stableHash } from "../../lib/domain/drift.js";
import { parseQuantity, type Quantity } from "../../lib/domain/quantity.js";
import type { KubeClient, Query } from "../../lib/kube/client.js";
import type { Served } from "../../lib/kube/discovery.js";
import { NODES, PODS } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { apiVersionOf, collectionPath, type ApiResource } from "../../lib/kube/resource.js";
import {
  amountsOf,
  plus,
  podRequests,
  writeAmounts,
  type Amounts,
  type PodRequests,
  type ResourceList,
} from "./requests.js";

/** Everything about a member that its Cluster's status tells, apart from conditions. */
export interface Facts {
  readonly kubernetesVersion: string;
  readonly apiEnablements: readonly APIEnablement[];
  /** False when an aggregated API behind the member did not answer. */
  readonly complete: boolean;
  readonly nodeSummary: NodeSummary;
  readonly resourceSummary: ResourceSummary;
}

const PAGE = 250;
// Pods that have ended hold nothing; leaving them out saves most of the list where Jobs run.
const RUNNING_PODS: Query = { fieldSelector: "status.phase!=Succeeded,status.phase!=Failed" };
/** What we must be able to do with an object: watch it, and let go of it. */
const NEEDED_VERBS = ["list", "watch", "delete"];

/** Asks the member. `before` keeps APIs that are out of sight for the moment. @throws KubeError */
export async function collectFacts(member: Member, before: Facts | undefined): Promise<Facts> {
  const { client, discovery } = member;
  const { gitVersion } = await client.request<{ gitVersion: string }>("GET", "/version");
  await discovery.refresh();
  await member.dropUnserved();
  const nodes = await countNodes(client);
  const pods = await countPods(client);
  return {
    kubernetesVersion: gitVersion,
    apiEnablements: enablementsOf(discovery.served, before?.apiEnablements),
    complete: discovery.served.complete,
    nodeSummary: nodes.summary,
    resourceSummary: {
      allocatable: writeAmounts(nodes.allocatable),
      allocating: writeAmounts(pods.allocating),
      allocated: writeAmounts(pods.allocated),
    },
  };
}

/** Whether two collections say the same. */
export function sameFacts(a: Facts | undefined, b: Facts): boolean {
  return a !== undefined && stableHash(a) === stableHash(b);
}

/**
 * The kinds that objects can be sent as, by API version, sorted. A group whose server does not answer is not gone: what
 * it served before stays until the answer is complete.
 */
export function enablementsOf(served: Served, before: readonly APIEnablement[] = []): APIEnablement[] {
  const versions = new Map<string, { name: string; kind: string }[]>();
  for (const resource of served.resources) {
    if (!NEEDED_VERBS.every(verb => resource.verbs.includes(verb))) continue;
    const { plural: name, kind } = resource;
    const version = apiVersionOf(resource);
    versions.set(version, [...(versions.get(version) ?? []), { name, kind }]);
  }
  const found = [...versions].map(([groupVersion, resources]) => ({ groupVersion, resources: resources.sort(byName) }));
  const hidden = served.complete ? [] : before.filter(({ groupVersion }) => !versions.has(groupVersion));
  return [...found, ...hidden].sort((a, b) => (a.groupVersion < b.groupVersion ? -1 : 1));
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

interface Node extends KubeObject {
  readonly status?: {
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** How many nodes there are, and what the ready ones offer. */
export async function countNodes(client: KubeClient): Promise<{ summary: NodeSummary; allocatable: Amounts }> {
  let [totalNum, readyNum] = [0, 0];
  let allocatable: Amounts = new Map();
  await eachPage<Node>(client, NODES, {}, node => {
    totalNum++;
    if (!node.status?.conditions?.some(c => c.type === "Ready" && c.status === "True")) return;
    readyNum++;
    allocatable = plus(allocatable, amountsOf(node.status.allocatable));
  });
  return { summary: { totalNum, readyNum }, allocatable };
}

interface Pod extends KubeObject {
  readonly spec: PodRequests & { readonly nodeName?: string };
}

/** What pods ask for: those that have a node (`allocated`), and those that wait for one (`allocating`). */
export async function countPods(client: KubeClient): Promise<{ allocating: Amounts; allocated: Amounts }> {
  let allocating: Amounts = new Map();
  let allocated: Amounts = new Map();
  const one: Quantity = parseQuantity("1");
  await eachPage<Pod>(client, PODS, RUNNING_PODS, ({ spec }) => {
    const asked = plus(podRequests(spec), new Map([["pods", one]]));
    if (spec.nodeName) allocated = plus(allocated, asked);
    else allocating = plus(allocating, asked);
  });
  return { allocating, allocated };
}

interface Page<T> {
  readonly items?: readonly T[] | null;
  readonly metadata: { readonly continue?: string };
}

/** One page is in memory at a time, and of it only sums are kept: a member may run more pods than we have room for. */
async function eachPage<T>(
  client: KubeClient,
  resource: ApiResource,
  query: Query,
  use: (item: T) => void,
): Promise<void> {
  let next: string | undefined;
  do {
    const page: Page<T> = await client.request("GET", collectionPath(resource), {
      query: { ...query, limit: PAGE, continue: next },
    });
    for (const item of page.items ?? []) use(item);
    next = page.metadata.continue || undefined;
  } while (next);
}
