// How does a Cluster go that nobody lets go of? By taking its finalizers away; nothing is touched in the member.
import type { KubeClient } from "../lib/kube/client.js";
import { executionNamespace } from "../lib/domain/names.js";
import { CLUSTERS, NAMESPACES, WORKS } from "../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../lib/kube/resource.js";

/** What the removal waits for, in words. */
export async function leftovers(host: KubeClient, name: string): Promise<string> {
  const { items } = await new ResourceClient(host, WORKS).list({}, executionNamespace(name));
  if (items.length === 0) return "no Work is left, so the operator seems not to run";
  const some = items.slice(0, 3).map(({ metadata }) => metadata.name);
  return `${items.length} Work(s) are left (${some.join(", ")}${items.length > 3 ? ", …" : ""})`;
}

/** Takes finalizers off Works, namespace and Cluster; touches nothing in the member. */
export async function forceOut(host: KubeClient, name: string): Promise<void> {
  const namespace = executionNamespace(name);
  const works = new ResourceClient(host, WORKS);
  for (const { metadata } of (await works.list({}, namespace)).items) {
    if (await works.delete(metadata, { uid: metadata.uid })) await strip(host, WORKS, metadata);
  }
  await new ResourceClient(host, NAMESPACES).delete({ name: namespace });
  await strip(host, CLUSTERS, { name });
}

async function strip(
  host: KubeClient,
  resource: ApiResource,
  target: { readonly namespace?: string; readonly name: string },
): Promise<void> {
  const api = new ResourceClient(host, resource);
  const live = await api.find(target);
  if (!live?.metadata.finalizers?.length) return;
  const { uid, resourceVersion } = live.metadata;
  await api.mergePatch(live.metadata, { metadata: { uid, resourceVersion, finalizers: null } });
}
