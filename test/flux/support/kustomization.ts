// What does a Kustomization look like, in as few words as a test needs, and what does Flux answer in it?
import type { Condition, KubeObject } from "../../../crds/object.js";
import { FLUX_NAMESPACE } from "../../../hack/flux/components.js";
import type { ApiResource } from "../../../lib/kube/resource.js";
import { healthCheckExprs } from "./page.js";

/** The kind, for clients. */
export const KUSTOMIZATIONS: ApiResource = {
  ...{ group: "kustomize.toolkit.fluxcd.io", version: "v1", kind: "Kustomization", plural: "kustomizations" },
  namespaced: true,
};

/** What a test wants of a Kustomization; the health checks are those of the page. */
export interface Wish {
  readonly name: string;
  /** The name of its GitRepository; its own unless said otherwise. */
  readonly source?: string;
  /** The folder in the repository; all of it unless said otherwise. */
  readonly path?: string;
  readonly dependsOn?: readonly string[];
  /** What else its spec says, in place of what stands in `kustomizationOf`. */
  readonly spec?: object;
}

/** What the controller says. */
export interface KustomizationStatus {
  readonly conditions?: readonly Condition[];
  readonly inventory?: { readonly entries: readonly { readonly id: string; readonly v: string }[] };
  readonly lastAppliedRevision?: string;
  readonly lastAttemptedRevision?: string;
  readonly lastHandledReconcileAt?: string;
  readonly observedGeneration?: number;
}

/** A Kustomization as the API server has it. */
export interface Kustomization extends KubeObject {
  readonly status?: KustomizationStatus;
}

/** The Kustomization for a wish: with prune, waiting for all that it applies, and tried again soon. */
export function kustomizationOf({ name, source = name, path = ".", dependsOn = [], spec = {} }: Wish): KubeObject {
  return {
    ...{ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" },
    metadata: { name, namespace: FLUX_NAMESPACE },
    spec: {
      ...{ interval: "1h", retryInterval: "5s", timeout: "90s", prune: true, wait: true, path },
      sourceRef: { kind: "GitRepository", name: source },
      dependsOn: dependsOn.map(other => ({ name: other })),
      healthCheckExprs: healthCheckExprs(),
      ...spec,
    },
  } as KubeObject;
}

/** `True Applied revision: …`; undefined where there is no such condition. */
export function said(status: KustomizationStatus | undefined, type: string): string | undefined {
  const condition = status?.conditions?.find(candidate => candidate.type === type);
  return condition && `${condition.status} ${condition.message}`;
}

/** Whether a condition is True. */
export function isTrue(status: KustomizationStatus | undefined, type: string): boolean {
  return status?.conditions?.some(condition => condition.type === type && condition.status === "True") ?? false;
}

/** What Flux holds as its own: `Deployment shop/web`, sorted; the kind first, as people say it. */
export function inventoryOf(status: KustomizationStatus | undefined): string[] {
  const line = ({ id }: { readonly id: string }): string => {
    const [namespace = "", name = "", , kind = ""] = id.split("_");
    return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
  };
  return (status?.inventory?.entries ?? []).map(line).sort();
}
