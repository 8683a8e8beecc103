// Which override policies count for a template at this moment?
import type { KubeObject } from "../../crds/object.js";
import type { OverrideCandidate } from "../../lib/domain/overrides.js";
import type { Host } from "../../lib/kube/host.js";
import { storeKey, type StoreChange } from "../../lib/kube/store.js";

/**
 * How long an override that was deleted still counts, milliseconds. One command that deletes it and the policy must not
 * render the bare template in between: pods would start where the override held them down.
 */
export const OVERRIDE_LINGER_MS = 1_000;

type Kind = OverrideCandidate["kind"];
type OverrideLike = KubeObject & Pick<OverrideCandidate, "spec">;

/** The override policies of a host, and those that have just gone. */
export interface OverrideSources {
  /** To be told of every change, before anyone is woken by it. */
  note(kind: Kind, change: StoreChange<OverrideLike>): void;
  /** Of the template's own namespace, and the cluster-wide ones. */
  for(template: KubeObject): OverrideCandidate[];
}

/** `now` is monotonic, milliseconds. */
export function overrideSources(
  { overrides, clusterOverrides }: Pick<Host, "overrides" | "clusterOverrides">,
  now: () => number = () => performance.now(),
): OverrideSources {
  const gone = new Map<string, { readonly candidate: OverrideCandidate; readonly at: number }>();

  function lingering(namespace: string | undefined): OverrideCandidate[] {
    const found: OverrideCandidate[] = [];
    for (const [id, { candidate, at }] of gone) {
      if (now() - at >= OVERRIDE_LINGER_MS) gone.delete(id);
      else if (candidate.kind === "ClusterOverridePolicy" || candidate.metadata.namespace === namespace) {
        found.push(candidate);
      }
    }
    return found;
  }

  return {
    note(kind, { key, before, after }) {
      const id = `${kind}|${key}`;
      if (after) gone.delete(id);
      else if (before) gone.set(id, { candidate: { ...before, kind }, at: now() });
    },

    for({ metadata: { namespace } }) {
      const wide = [...clusterOverrides.store.values()].map(o => ({ ...o, kind: "ClusterOverridePolicy" as const }));
      const own = [...overrides.store.values()]
        .filter(o => o.metadata.namespace === namespace)
        .map(o => ({ ...o, kind: "OverridePolicy" as const }));
      const present = new Set([...wide, ...own].map(o => `${o.kind}|${storeKey(o.metadata)}`));
      const left = lingering(namespace).filter(o => !present.has(`${o.kind}|${storeKey(o.metadata)}`));
      return [...wide, ...own, ...left];
    },
  };
}
