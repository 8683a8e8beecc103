// The name of a binding's Work in one execution namespace.
import { gvkOf } from "../../crds/object.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace, workName } from "../../lib/domain/names.js";
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
