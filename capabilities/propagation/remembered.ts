// What do the Works of a template tell about its binding, when somebody has deleted that?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CRB_NAME_ANNOTATION, RB_NAME_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import {
  bindingName,
  bindingPermanentId,
  clusterOfExecutionNamespace,
  type nameSuffix,
} from "../../lib/domain/names.js";
import { mayTakeOver } from "../../lib/domain/presence.js";
import { cascadeOfWork, recordedByWorks } from "../../lib/domain/work-word.js";
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
  const names = works.flatMap(work => clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? []);
  return [...new Set(names)].map(name => ({ name }));
}

/** The name of the binding that made these Works: made again, it must find them. */
export function bindingNameOf(works: readonly Work[]): string | undefined {
  for (const { metadata } of works) {
    const name = metadata.annotations?.[RB_NAME_ANNOTATION] ?? metadata.annotations?.[CRB_NAME_ANNOTATION];
    if (name) return name;
  }
  return undefined;
}

/** True when a Work renders an object of another kind: the binding's name is that kind's. */
export function isOfOtherKind(work: Work, template: KubeObject): boolean {
  const manifest = work.spec.workload?.manifests?.[0];
  return manifest !== undefined && (manifest.kind !== template.kind || gvkOf(manifest).group !== gvkOf(template).group);
}

/**
 * The spec of a binding as its Works remember it: where the copies are, and what becomes of them. Where Works disagree
 * about keeping, keep wins (design 2).
 */
export function rememberedSpec(works: readonly Work[]): Omit<AnyBinding["spec"], "resource"> {
  const clusterDeletion = recordedByWorks(works);
  const overwrite = works.some(mayTakeOver);
  return {
    clusters: clustersOf(works),
    conflictResolution: overwrite ? "Overwrite" : "Abort",
    preserveResourcesOnDeletion: works.some(work => cascadeOfWork(work) !== "background"),
    ...(clusterDeletion.length > 0 ? { clusterDeletion } : {}),
  };
}
