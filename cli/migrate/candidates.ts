// Which objects of a member may become templates, and which are left out, and why?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";

/**
 * `candidate`: it is looked at · `silent`: nobody expects it in a plan; such objects are only counted · `owned`: a
 * controller that people know by name decides about it.
 */
export type Sorted =
  | { readonly sort: "candidate" }
  | { readonly sort: "silent"; readonly why: string }
  | { readonly sort: "owned"; readonly why: string; readonly wayOut: string };

/** Pure. */
export function sortObject(object: KubeObject): Sorted {
  const { deletionTimestamp, ownerReferences, namespace } = object.metadata;
  if (deletionTimestamp) return { sort: "silent", why: "it is being deleted" };
  const owner = ownerReferences?.find(({ controller }) => controller);
  if (!owner) {
    const why = whyNeverTemplate(object);
    return why === undefined ? { sort: "candidate" } : { sort: "silent", why };
  }
  const never = whyNeverTemplate(object, { named: true });
  if (never !== undefined) return { sort: "silent", why: never };
  if (isOfKubernetes(owner.apiVersion)) return { sort: "silent", why: `a ${owner.kind} made it, and makes it again` };
  const { kind, name, apiVersion } = owner;
  const where = namespace ? ` of namespace ${namespace}` : "";
  return {
    sort: "owned",
    why: `${kind} ${name} (${apiVersion}) controls it, and would undo what Holdfast writes`,
    wayOut: `move ${kind} ${name}${where}, which takes this object along; or take the ownerReference away, and plan again`,
  };
}

/** Controllers that every cluster has. */
function isOfKubernetes(apiVersion: string): boolean {
  const { group } = gvkOf({ apiVersion, kind: "" });
  return !group.includes(".") || group.endsWith(".k8s.io");
}
