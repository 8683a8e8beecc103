// Pepr's doors for clusters.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer } from "../../lib/engine/admission.js";
import { CLUSTERS } from "../../lib/kube/kinds.js";
import { validate } from "./validate.js";

class ClusterKind extends GenericKind {}
RegisterKind(ClusterKind, CLUSTERS);

/** What the doors lead to; `wake` only puts a key on a queue. */
export interface ClusterDoors {
  readonly context: () => AdmissionContext;
  readonly wake: (name: string) => void;
}

/** Webhook and watch action for clusters. */
export function clusterCapability({ context, wake }: ClusterDoors): Capability {
  const capability = new Capability({ name: "holdfast-cluster", description: "Checks clusters that join." });
  capability
    .When(ClusterKind)
    .IsCreatedOrUpdated()
    .Validate(request => answer(request, validate, context()))
    .Watch(cluster => wake(cluster.metadata?.name ?? ""));
  return capability;
}
