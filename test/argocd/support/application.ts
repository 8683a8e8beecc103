// What does an Application look like, in as few words as a test needs, and what does Argo CD answer in it?
import type { Condition, KubeObject } from "../../../crds/object.js";
import { ARGOCD_NAMESPACE } from "../../../hack/argocd/components.js";
import type { ApiResource } from "../../../lib/kube/resource.js";

/** The kind, for clients. */
export const APPLICATIONS: ApiResource = {
  ...{ group: "argoproj.io", version: "v1alpha1", kind: "Application", plural: "applications" },
  namespaced: true,
};

/** What becomes of what an Application applied when it is deleted: nothing, or one of Argo CD's two cascades. */
export type Cascade = "none" | "foreground" | "background";

/** What a test wants of an Application. */
export interface Wish {
  readonly name: string;
  readonly repoURL: string;
  /** The folder in the repository. */
  readonly path: string;
  /** Sync by itself, with prune and self-heal; true unless said otherwise. */
  readonly automated?: boolean;
  readonly syncOptions?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly cascade?: Cascade;
}

/** An object as Argo CD lists it in an Application. */
export interface Listed {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: string;
  readonly requiresPruning?: boolean;
  readonly health?: { readonly status: string; readonly message?: string };
}

/** What came of one object in a sync. */
export interface Synced extends Omit<Listed, "health" | "requiresPruning"> {
  readonly message?: string;
  readonly hookPhase?: string;
}

/** What the application controller says. */
export interface ApplicationStatus {
  readonly sync?: { readonly status: string; readonly revision?: string };
  readonly health?: { readonly status: string; readonly message?: string };
  readonly resources?: readonly Listed[];
  readonly conditions?: readonly Pick<Condition, "type" | "message">[];
  readonly operationState?: {
    readonly phase: string;
    readonly message?: string;
    readonly operation?: { readonly info?: readonly { readonly name: string; readonly value: string }[] };
    readonly startedAt: string;
    readonly finishedAt?: string;
    readonly syncResult?: { readonly resources?: readonly Synced[]; readonly revision?: string };
  };
  readonly history?: readonly object[];
  readonly reconciledAt?: string;
}

/** An Application as the API server has it. */
export interface Application extends KubeObject {
  readonly status?: ApplicationStatus;
}

const FINALIZERS: Readonly<Record<Cascade, readonly string[]>> = {
  none: [],
  foreground: ["resources-finalizer.argocd.argoproj.io"],
  background: ["resources-finalizer.argocd.argoproj.io/background"],
};

/** The Application for a wish: into the cluster that Argo CD is in. */
export function applicationOf(wish: Wish): Application {
  const { name, repoURL, path, automated = true, syncOptions = [], annotations = {}, cascade = "foreground" } = wish;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: {
      name,
      namespace: ARGOCD_NAMESPACE,
      annotations: { ...annotations },
      finalizers: [...FINALIZERS[cascade]],
    },
    spec: {
      project: "default",
      source: { repoURL, path, targetRevision: "main" },
      destination: { server: "https://kubernetes.default.svc", namespace: "default" },
      syncPolicy: {
        ...(automated ? { automated: { prune: true, selfHeal: true } } : {}),
        syncOptions: [...syncOptions],
      },
    },
  };
}

/** `Deployment shop/web: Synced, Healthy`, sorted: what a failed test shows. */
export function linesOf(status: ApplicationStatus | undefined): string[] {
  const line = ({ kind, namespace = "", name, status: sync, requiresPruning, health }: Listed): string => {
    const words = [sync, health?.status, health?.message, requiresPruning ? "to be pruned" : undefined];
    return `${kind} ${namespace ? `${namespace}/` : ""}${name}: ${words.filter(Boolean).join(", ")}`;
  };
  return (status?.resources ?? []).map(line).sort();
}
