// In which words do we say that a cluster can be used, or why it cannot?

/** What one look at a cluster found, as it will stand in its Ready condition. */
export interface Verdict {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: ReadyReason;
  readonly message: string;
  /** True when looking again cannot find otherwise: it counts at once, not only the second time. */
  readonly certain?: boolean;
}

/** Karmada's reasons (spec/karmada 7.4), and ours for what Karmada does not tell apart. */
export type ReadyReason =
  | "ClusterReady"
  | "ClusterNotReady"
  | "ClusterNotReachable"
  | "StatusCollectionFailed"
  | "ClusterInvalid"
  | "CredentialsNotFound"
  | "CredentialsRefused"
  | "ClusterIdentityChanged"
  | "ClusterAlreadyJoined"
  | "ClusterIsHost"
  | "PullModeNotSupported";

/** The one good answer; Karmada's sentence. */
export const READY: Verdict = {
  status: "True",
  reason: "ClusterReady",
  message: "cluster is healthy and ready to accept workloads",
};

/** Nobody looks after a Pull cluster in this version, so nothing is known about it. */
export const PULL: Verdict = {
  status: "Unknown",
  reason: "PullModeNotSupported",
  message: "spec.syncMode: Pull is not supported by this version; unjoin the cluster and join it with syncMode Push",
  certain: true,
};

/** A bad answer that may pass: two in a row count. */
export function notReady(reason: ReadyReason, message: string): Verdict {
  return { status: "False", reason, message };
}

/** A bad answer that only a change of the Cluster, its Secret or the member can make good. */
export function notUsable(reason: ReadyReason, message: string): Verdict {
  return { status: "False", reason, message, certain: true };
}
