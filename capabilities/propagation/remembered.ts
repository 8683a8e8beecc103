// What do the Works of a template tell about its binding, when somebody has deleted that?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import {
  bindingName,
  bindingPermanentId,
  clusterOfExecutionNamespace,
  type nameSuffix,
} from "../../lib/domain/names.js";
import { WORKS_BY_BINDING, type AnyBinding, type Host } from "../../lib/kube/host.js";

/** The Works that were rendered from this very object, under either name that its binding can have. */
export function worksOf(
  { works }: Pick<Host, "works">,
  template: KubeObject,
  named: Parameters<typeof nameSuffix>[0],
): Work[] {
  const kind = named.namespace ? "ResourceBinding" : "ClusterResourceBinding";
  const names = new Set([bindingName(named), bindingName(named, { suffix: true })]);
  return [...names]
    .flatMap(name => works.store.byIndex(WORKS_BY_BINDING, bindingPermanentId(kind, named.namespace, name)))
    .filter(work => work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION] === template.metadata.uid);
}

/** The clusters in which a Work says that the template is. */
export function clustersOf(works: readonly Work[]): { readonly name: string }[] {
  return works.flatMap(work => {
    const name = clusterOfExecutionNamespace(work.metadata.namespace ?? "");
    return name === undefined ? [] : [{ name }];
  });
}

/**
 * The spec of a binding as its Works remember it: where the copies are, and what becomes of them. Where Works disagree
 * about keeping, keep wins (design 2).
 */
export function rememberedSpec(works: readonly Work[]): Omit<AnyBinding["spec"], "resource"> {
  const overwrite = works.some(w => w.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] === "overwrite");
  return {
    clusters: clustersOf(works),
    conflictResolution: overwrite ? "Overwrite" : "Abort",
    preserveResourcesOnDeletion: works.some(work => work.spec.preserveResourcesOnDeletion ?? false),
  };
}
