// Which namespace of which member is meant, and which ones does a Work put something into?
import { gvkOf } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";

/** Names one namespace of one member; neither part may hold a slash. */
export interface MemberNamespace {
  readonly cluster: string;
  readonly name: string;
}

/** The work queue's key. */
export function keyOf({ cluster, name }: MemberNamespace): string {
  return `${cluster}/${name}`;
}

/** What `keyOf` was given. */
export function parseKey(key: string): MemberNamespace {
  const slash = key.indexOf("/");
  return { cluster: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The namespaces that a Work's objects are in, or are. */
export function targetNamespaces(work: Work): readonly string[] {
  const names = (work.spec.workload?.manifests ?? []).flatMap(manifest => {
    const { group, kind } = gvkOf(manifest);
    const isNamespace = group === "" && kind === "Namespace";
    return (isNamespace ? manifest.metadata.name : manifest.metadata.namespace) ?? [];
  });
  return [...new Set(names)];
}
