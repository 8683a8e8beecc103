// What does the host have about the objects of one member?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isNotFound } from "../../lib/kube/errors.js";
import { NODES, WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import { mapLimited } from "../access/limited.js";
import type { Policies } from "../preview/policies.js";
import { objectKey, worksByObject } from "../view/adoption.js";
import { worksNamespace, type HostFacts } from "./verdict.js";

/** What to read. */
export interface FactsRequest {
  readonly cluster: string;
  readonly policies: Policies;
  readonly ownPolicies: readonly string[];
  /** Kinds as the host serves them, and the namespaces that are meant; none: all of them. */
  readonly kinds: readonly ApiResource[];
  readonly namespace?: string;
}

/** By one LIST for each kind. @throws KubeError */
export async function readHostFacts(host: KubeClient, request: FactsRequest): Promise<HostFacts> {
  const { cluster, policies, ownPolicies, kinds, namespace } = request;
  const [lists, works] = await Promise.all([
    mapLimited(kinds, kind => listed(host, kind, namespace)),
    new ResourceClient<Work>(host, WORKS).list({}, worksNamespace(cluster)),
  ]);
  return {
    cluster,
    ownPolicies,
    policies: policies.propagation,
    templates: new Map(lists.flat().map(object => [objectKey(object), object])),
    works: worksByObject(works.items),
  };
}

/** A kind that went a moment ago has no objects. */
async function listed(host: KubeClient, kind: ApiResource, namespace?: string): Promise<readonly KubeObject[]> {
  try {
    return (await new ResourceClient(host, kind).list({}, namespace)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Whether the host has nodes: what is applied there then runs there too. @throws KubeError */
export async function runsWorkloads(host: KubeClient): Promise<boolean> {
  const { items } = await host.request<{ readonly items?: readonly unknown[] }>("GET", `/api/v1/${NODES.plural}`, {
    query: { limit: 1 },
  });
  return (items ?? []).length > 0;
}
