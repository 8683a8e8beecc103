// What a binding's Works are called, and which binding a Work or a key belongs to.
import { gvkOf } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import {
  CRB_ID_LABEL,
  CRB_NAME_ANNOTATION,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
} from "../../lib/domain/marks.js";
import { bindingPermanentId, executionNamespace, workName } from "../../lib/domain/names.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";
import { storeKey } from "../../lib/kube/store.js";

/** Karmada's name, or one with a suffix where a Work of another binding has taken that (design 7). */
export function workNameFor(host: Pick<Host, "works">, binding: AnyBinding, cluster: string): string {
  const { resource } = binding.spec;
  const object = {
    group: gvkOf(resource).group,
    kind: resource.kind,
    namespace: resource.namespace,
    name: resource.name,
  };
  const plain = workName(object);
  const namespace = executionNamespace(cluster);
  const taken = host.works.get(storeKey({ namespace, name: plain }));
  const label = binding.metadata.namespace ? RB_ID_LABEL : CRB_ID_LABEL;
  const own = !taken || taken.metadata.labels?.[label] === binding.metadata.labels?.[label];
  return own ? plain : workName(object, { suffix: true });
}

/** The permanent id of the binding with this key: known without the binding. */
export function idOf(key: string): string {
  const slash = key.indexOf("/");
  return slash < 0
    ? bindingPermanentId("ClusterResourceBinding", undefined, key)
    : bindingPermanentId("ResourceBinding", key.slice(0, slash), key.slice(slash + 1));
}

/** The key of the binding that made a Work; `undefined` for a Work that no binding made. */
export function bindingKeyOf(work: Work): string | undefined {
  const { labels = {}, annotations = {} } = work.metadata;
  if (labels[CRB_ID_LABEL]) return annotations[CRB_NAME_ANNOTATION];
  const name = annotations[RB_NAME_ANNOTATION];
  return name && storeKey({ namespace: annotations[RB_NAMESPACE_ANNOTATION], name });
}
