// Which binding is a template's, and how is it called while it does not exist?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { bindingName, bindingPermanentId, namedObject } from "../../lib/domain/names.js";
import { WORKS_BY_BINDING, type AnyBinding, type Host } from "../../lib/kube/host.js";
import { storeKey } from "../../lib/kube/store.js";
import { bindingNameOf, isOfOtherKind, worksOf } from "./remembered.js";

/** The names of bindings on a host. */
export interface BindingNames {
  /** The template's binding; of whichever incarnation of the template. */
  find(template: KubeObject): AnyBinding | undefined;
  /** The name for a binding that is to be made. */
  free(template: KubeObject): string;
}

/** Karmada's name or, where two kinds share it, the name with a suffix (design 7). */
export function bindingNames(host: Pick<Host, "bindings" | "clusterBindings" | "works">): BindingNames {
  /** The template's binding under its plain name or, where two kinds share it, under the name with a suffix (design 7). */
  function find(template: KubeObject): AnyBinding | undefined {
    const named = namedObject(template);
    const candidates = [bindingName(named), bindingName(named, { suffix: true })];
    return candidates.map(name => bindingAt(template, name)).find(b => b && isFor(b, template));
  }

  function free(template: KubeObject): string {
    const named = namedObject(template);
    const known = bindingNameOf(worksOf(host, template, named));
    if (known) return known;
    const plain = bindingName(named);
    const taken = bindingAt(template, plain);
    const isFree = taken ? isFor(taken, template) : !hasOtherWorks(template, plain);
    return isFree ? plain : bindingName(named, { suffix: true });
  }

  /** A name whose binding is away for a moment is still its own kind's, as long as that has Works. */
  function hasOtherWorks(template: KubeObject, name: string): boolean {
    const { namespace } = template.metadata;
    const id = bindingPermanentId(namespace ? "ResourceBinding" : "ClusterResourceBinding", namespace, name);
    return host.works.store.byIndex(WORKS_BY_BINDING, id).some(work => isOfOtherKind(work, template));
  }

  function bindingAt(template: KubeObject, name: string): AnyBinding | undefined {
    const { namespace } = template.metadata;
    return (namespace ? host.bindings : host.clusterBindings).get(storeKey({ namespace, name }));
  }

  return { find, free };
}

/** True when the binding is about the object of this group, kind and name; of whichever incarnation. */
function isFor(binding: AnyBinding, template: KubeObject): boolean {
  const { resource } = binding.spec;
  return (
    resource.kind === template.kind &&
    resource.name === template.metadata.name &&
    gvkOf(resource).group === gvkOf(template).group
  );
}
