// How does the tree of one template grow, down to what is in the members?
import type { KubeObject } from "../../crds/object.js";
import { clusterOfExecutionNamespace, executionNamespace, namedObject, workName } from "../../lib/domain/names.js";
import { visitMembers, type Fleet, type Visit } from "../access/fleet.js";
import type { MemberAccess } from "../access/member.js";
import { UNKNOWN } from "../output/table.js";
import { adoptionOf, objectKey, recordedAdoption, wantedBy, type Wanted } from "../view/adoption.js";
import { type Chain, type PlacedWork } from "../view/chain.js";
import { stateOf } from "../view/state.js";
import { bindingNode, identityOf, policyNode, templateNode, workNode, type TreeNode } from "./node.js";

/** What the Works of one member want there, and what is there. `undefined`: it is not there. */
export type Seen = ReadonlyMap<string, KubeObject | undefined>;

/** Looks into the members that have a Work. */
export async function lookAt(fleet: Fleet, { works }: Chain): Promise<ReadonlyMap<string, Visit<Seen>>> {
  const clusters = fleet.clusters.filter(({ metadata }) => works.some(({ cluster }) => cluster === metadata.name));
  const visits = await visitMembers({ ...fleet, clusters }, member => seenIn(member, works));
  return new Map(visits.map(visit => [visit.cluster, visit]));
}

async function seenIn(member: MemberAccess, works: readonly PlacedWork[]): Promise<Seen> {
  const manifests = works.filter(({ cluster }) => cluster === member.name).flatMap(({ work }) => manifestsOf(work));
  return new Map(
    await Promise.all(
      manifests.map(
        async manifest => [objectKey(manifest), await member.objects(manifest)?.find(manifest.metadata)] as const,
      ),
    ),
  );
}

const manifestsOf = (work: PlacedWork["work"]): readonly KubeObject[] => work.spec.workload?.manifests ?? [];

/** Everything a tree is made of; only members that are meant have their Works in it. */
export interface TreeInput {
  readonly template: KubeObject;
  readonly chain: Chain;
  /** The members that are meant. */
  readonly clusters: readonly string[];
  readonly visits: ReadonlyMap<string, Visit<Seen>>;
  /** Why no policy claims it, although one selects it. */
  readonly unclaimed?: string;
}

/** Template, policy, binding, Works, member objects: each under what it follows from. */
export function treeOf(input: TreeInput): TreeNode {
  const { template, chain, unclaimed } = input;
  const works = workNodes(input);
  const below = chain.binding ? [withChildren(bindingNode(chain.binding), works)] : works;
  const root = templateNode(template, chain.claim !== undefined, unclaimed);
  if (chain.policy) return withChildren(root, [withChildren(policyNode(chain.policy), below)]);
  if (!chain.claim) return withChildren(root, below);
  return withChildren(root, [withChildren(goneNode(chain.claim), below)]);
}

function withChildren(leaf: Omit<TreeNode, "children">, children: readonly TreeNode[]): TreeNode {
  return children.length > 0 ? { ...leaf, children } : leaf;
}

function goneNode({ kind, namespace, name }: NonNullable<Chain["claim"]>): Omit<TreeNode, "children"> {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind,
    ...(namespace && { namespace }),
    name,
    state: "Missing",
    reason: "PolicyGone",
    message: "the policy is gone: what is in the members stays as it is until another policy claims the template",
  };
}

function workNodes({ template, chain, clusters, visits }: TreeInput): TreeNode[] {
  const works = chain.works.filter(({ cluster }) => clusters.includes(cluster));
  const there = new Set(works.map(({ cluster }) => cluster));
  const targets = (chain.binding?.spec.clusters ?? []).map(({ name }) => name);
  const awaited = targets.filter(name => clusters.includes(name) && !there.has(name));
  const nodes = works.map(({ cluster, work }) => {
    const children = objectNodes(work, visits.get(cluster));
    return withChildren(workNode(work, cluster), children);
  });
  return [...nodes, ...awaited.map(cluster => awaitedNode(cluster, template))].sort((a, b) =>
    (a.cluster ?? "") < (b.cluster ?? "") ? -1 : 1,
  );
}

function awaitedNode(cluster: string, template: KubeObject): TreeNode {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    namespace: executionNamespace(cluster),
    name: workName(namedObject(template)),
    cluster,
    state: "Missing",
    reason: "NotRendered",
    message: `the binding names ${cluster}, and there is no Work yet; kubectl describe of the binding says why`,
  };
}

function objectNodes(work: PlacedWork["work"], visit: Visit<Seen> | undefined): TreeNode[] {
  const wanted = wantedBy([{ ...work, metadata: { ...work.metadata, deletionTimestamp: undefined } }]);
  return [...wanted].map(([key, want]) => {
    const cluster = clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "";
    const identity = { ...identityOf(want.manifest), cluster };
    if (!visit || "why" in visit) return { ...identity, ...silent(want, visit?.why) };
    return { ...identity, ...seen(want, visit.answer.get(key)) };
  });
}

type Findings = Pick<TreeNode, "state" | "ready" | "adoption" | "message" | "creationTimestamp">;

function silent(want: Wanted, why = "there is no Cluster of this name any more"): Findings {
  return { state: "Unreachable", ready: UNKNOWN, adoption: recordedAdoption(want), message: why };
}

function seen(want: Wanted, live: KubeObject | undefined): Findings {
  const adoption = adoptionOf(live, want);
  if (!live) return { state: "Missing", adoption };
  const { ready, status = "Present" } = stateOf(live);
  const { creationTimestamp } = live.metadata;
  return { state: status, ...(ready && { ready }), adoption, ...(creationTimestamp && { creationTimestamp }) };
}
