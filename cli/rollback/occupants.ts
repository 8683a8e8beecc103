// Which templates would take others with them, if they were deleted?
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { contentsOf } from "../../lib/kube/namespace-contents.js";
import { collectionPath } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { Standing } from "./standing.js";

/**
 * Deleting a Namespace or a CustomResourceDefinition deletes what is in it, whatever word that has. Answers why each of
 * those that are not empty must not go. @throws KubeError
 */
export async function occupantsOf(
  fleet: Pick<Fleet, "host" | "discovery">,
  standings: readonly Standing[],
): Promise<ReadonlyMap<Standing, string>> {
  const holders = standings.filter(({ template }) => template && (isNamespace(template) || isDefinition(template)));
  const reasons = await mapLimited(
    holders,
    async standing => {
      const why = standing.template && (await whyNot(fleet, standing.template));
      return why === undefined ? [] : [[standing, why] as const];
    },
    2,
  );
  return new Map(reasons.flat());
}

const isNamespace = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === "v1" && kind === "Namespace";

const isDefinition = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion.startsWith("apiextensions.k8s.io/") && kind === "CustomResourceDefinition";

async function whyNot(
  { host, discovery }: Pick<Fleet, "host" | "discovery">,
  template: KubeObject,
): Promise<string | undefined> {
  if (isDefinition(template)) return whyNotDefinition({ host, discovery }, template);
  const { occupants, hidden } = await contentsOf(host.client, discovery, template.metadata.name);
  if (hidden !== undefined) return `whether it is empty on the host is not known: ${hidden}`;
  const [first] = occupants;
  if (!first) return undefined;
  const more = occupants.length > 1 ? ` and ${occupants.length - 1} more` : "";
  return `it holds ${first.groupKind.replace(/^\//, "")} ${first.metadata.name}${more} on the host, which would go with it; roll those back first`;
}

async function whyNotDefinition(
  { host, discovery }: Pick<Fleet, "host" | "discovery">,
  template: KubeObject,
): Promise<string | undefined> {
  const names = isRecord(template["spec"]) ? template["spec"]["names"] : undefined;
  const kind = isRecord(names) ? names["kind"] : undefined;
  const [, ...group] = template.metadata.name.split(".");
  const served = discovery.served.resources.find(one => one.kind === kind && one.group === group.join("."));
  if (!served) {
    const words = `whether the host has objects of its kind is not known: the host does not serve ${String(kind)}`;
    return `${words}; see its conditions (kubectl get crd ${template.metadata.name} -o yaml), and run this again`;
  }
  const path = collectionPath(served);
  const { items } = await host.client.request<{ readonly items?: readonly unknown[] }>("GET", path, {
    query: { limit: 1 },
  });
  if (!items || items.length === 0) return undefined;
  return `the host has objects of kind ${served.kind}, which would go with it; roll those back first`;
}
