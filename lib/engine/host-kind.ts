// Is the host a bare control plane, or a cluster that runs workloads? Decided once, and recorded (design 1).
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../kube/client.js";
import { isConflict } from "../kube/errors.js";
import { CONFIG_MAPS, NODES } from "../kube/kinds.js";
import { ResourceClient } from "../kube/resource.js";

/** `controlPlane`: templates never run there and we write their status. `ordinary`: its own controllers do. */
export type HostKind = "ordinary" | "controlPlane";

/** The ConfigMap that records it, in the operator's namespace. */
export const HOST_KIND_CONFIG_MAP = "holdfast-host";

/**
 * The configured kind, or the recorded one, or what the nodes say now. Recorded in ConfigMap `holdfast-host`: a host that
 * loses its last node for a while must not change its nature.
 */
export async function hostKind(
  client: KubeClient,
  configured: HostKind | "auto",
  namespace: string,
): Promise<HostKind> {
  if (configured !== "auto") return configured;
  const maps = new ResourceClient<KubeObject>(client, CONFIG_MAPS);
  const recorded = kindIn(await maps.find({ namespace, name: HOST_KIND_CONFIG_MAP }));
  if (recorded) return recorded;
  const { items } = await new ResourceClient(client, NODES).list({ limit: 1 });
  const kind: HostKind = items.length > 0 ? "ordinary" : "controlPlane";
  try {
    await maps.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name: HOST_KIND_CONFIG_MAP },
      data: { kind },
    });
    return kind;
  } catch (error) {
    // Another process has decided in the same moment.
    if (!isConflict(error)) throw error;
    return kindIn(await maps.find({ namespace, name: HOST_KIND_CONFIG_MAP })) ?? kind;
  }
}

function kindIn(map: KubeObject | undefined): HostKind | undefined {
  const data = map?.["data"] as Readonly<Record<string, string>> | undefined;
  return data?.["kind"] === "ordinary" || data?.["kind"] === "controlPlane" ? data["kind"] : undefined;
}
