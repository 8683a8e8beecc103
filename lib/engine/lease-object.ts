// How does a Lease of coordination.k8s.io look on the wire?
import type { KubeObject } from "../../crds/object.js";
import type { ApiResource } from "../kube/resource.js";

/** The Lease that the watcher which works holds, in the operator's namespace. */
export const WATCHER_LEASE = "holdfast-watcher";

/** Where Leases are served. */
export const LEASES: ApiResource = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
};

/** As far as leader election reads it. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
