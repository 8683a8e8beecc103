// Which kinds does a host serve in tests?
import type { ServedResource } from "../../lib/kube/discovery.js";

type Names = Partial<Pick<ServedResource, "shortNames" | "categories" | "namespaced" | "verbs">>;

function served(apiVersion: string, kind: string, plural: string, names: Names = {}): ServedResource {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const singular = kind.toLowerCase();
  return {
    group,
    version,
    kind,
    plural,
    singular,
    namespaced: true,
    verbs: ["get", "list"],
    subresources: [],
    ...names,
  };
}

/** In the order in which an API server lists them. */
export const SERVED: readonly ServedResource[] = [
  served("v1", "Event", "events", { shortNames: ["ev"] }),
  served("v1", "Service", "services", { shortNames: ["svc"], categories: ["all"] }),
  served("v1", "Namespace", "namespaces", { shortNames: ["ns"], namespaced: false }),
  served("v1", "Binding", "bindings", { verbs: ["create"] }),
  served("events.k8s.io/v1", "Event", "events", { shortNames: ["ev"] }),
  served("apps/v1", "Deployment", "deployments", { shortNames: ["deploy"], categories: ["all"] }),
  served("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", { shortNames: ["hpa"] }),
  served("autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", { shortNames: ["hpa"] }),
  served("example.test/v1", "Deploy", "deploys", { shortNames: ["svc"] }),
];
