// What stands on the host between a template and the members?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimBy, claimOf, type Claim } from "../../lib/domain/claims.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import {
  bindingName,
  clusterOfExecutionNamespace,
  executionNamespace,
  namedObject,
  workName,
} from "../../lib/domain/names.js";
import type { KubeClient } from "../../lib/kube/client.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import {
  CLUSTER_PROPAGATION_POLICIES,
  CLUSTER_RESOURCE_BINDINGS,
  PROPAGATION_POLICIES,
  RESOURCE_BINDINGS,
  WORKS,
} from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";

/** A Work and the member it is for. */
export interface PlacedWork {
  readonly cluster: string;
  readonly work: Work;
}

/** All that the host has about one template. */
export interface Chain {
  readonly claim: Claim | undefined;
  /** The very policy of the claim; a namesake made later is another one. */
  readonly policy: AnyPolicy | undefined;
  readonly binding: AnyBinding | undefined;
  /** By cluster. */
  readonly works: readonly PlacedWork[];
}

/** Reads it. `clusters`: where to look for Works that no binding made, such as those of Namespaces. */
export async function readChain(host: KubeClient, template: KubeObject, clusters: readonly string[]): Promise<Chain> {
  const claim = claimOf(template);
  const [policy, binding] = await Promise.all([claim && policyOf(host, claim), bindingOf(host, template)]);
  const works = binding ? await worksOf(host, binding) : await worksNamed(host, template, clusters);
  return { claim, policy, binding, works: inOrder(works) };
}

async function policyOf(host: KubeClient, claim: Claim): Promise<AnyPolicy | undefined> {
  const { kind, namespace, name, id } = claim;
  const resource = kind === "PropagationPolicy" ? PROPAGATION_POLICIES : CLUSTER_PROPAGATION_POLICIES;
  const policy = await new ResourceClient<AnyPolicy>(host, resource).find({ namespace, name });
  return policy && claimBy(kind, policy)?.id === id ? policy : undefined;
}

/** The binding of a template, under its plain name or the one with a suffix (design 7). */
export async function bindingOf(host: KubeClient, template: KubeObject): Promise<AnyBinding | undefined> {
  const { namespace } = template.metadata;
  const named = namedObject(template);
  const bindings = new ResourceClient<AnyBinding>(host, namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS);
  for (const name of [bindingName(named), bindingName(named, { suffix: true })]) {
    const binding = await bindings.find({ namespace, name });
    if (binding && isAbout(binding, template)) return binding;
  }
  return undefined;
}

function isAbout({ spec: { resource } }: AnyBinding, template: KubeObject): boolean {
  const isSameKind = resource.kind === template.kind && gvkOf(resource).group === gvkOf(template).group;
  return isSameKind && resource.name === template.metadata.name;
}

/** The Works that a binding has made. */
export async function worksOf(host: KubeClient, binding: AnyBinding): Promise<readonly PlacedWork[]> {
  const label = binding.metadata.namespace ? RB_ID_LABEL : CRB_ID_LABEL;
  const id = binding.metadata.labels?.[label];
  if (!id) return [];
  const { items } = await new ResourceClient<Work>(host, WORKS).list({ labelSelector: `${label}=${id}` });
  return items.map(work => ({ cluster: clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "", work }));
}

async function worksNamed(
  host: KubeClient,
  template: KubeObject,
  clusters: readonly string[],
): Promise<readonly PlacedWork[]> {
  const name = workName(namedObject(template));
  const works = new ResourceClient<Work>(host, WORKS);
  const found = await Promise.all(
    clusters.map(async cluster => ({
      cluster,
      work: await works.find({ namespace: executionNamespace(cluster), name }),
    })),
  );
  return found.flatMap(({ cluster, work }) => (work ? [{ cluster, work }] : []));
}

function inOrder(works: readonly PlacedWork[]): readonly PlacedWork[] {
  return [...works].sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
}
