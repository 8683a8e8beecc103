// Which objects do the ownership tests apply?
import type { KubeObject } from "../../crds/object.js";
import { getAt } from "../../lib/domain/json-pointer.js";
import { updateAt } from "../../lib/domain/json-value.js";
import { NAMESPACE } from "./ownership-cluster.js";

/** The Deployment as its template says it; paused, so that no controller changes it under the test. */
export function web(name: string, image = "registry.example/web:1.0"): KubeObject {
  const labels = { app: name };
  const env = [{ name: "MODE", value: "fast" }];
  const containers = [{ name: "c", image, env, ports: [{ containerPort: 80 }] }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      paused: true,
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

/** The containers of a Deployment. */
export function containersOf(object: KubeObject): readonly unknown[] {
  const containers = getAt(object, "/spec/template/spec/containers");
  return Array.isArray(containers) ? containers : [];
}

/** The Deployment with every container changed. */
export function mapContainers(object: KubeObject, change: (container: object) => object): KubeObject {
  return updateAt(object, ["spec", "template", "spec", "containers"], list =>
    Array.isArray(list) ? list.map(change) : list,
  );
}

/** The Deployment without any environment variable. */
export function withoutEnv(object: KubeObject): KubeObject {
  return mapContainers(object, container => ({ ...container, env: undefined }));
}

/** The object as its owners had declared it in the member, with what the template lacks. */
export function older(name: string): KubeObject {
  const object = web(name, "registry.example/web:0.9");
  const env = [
    { name: "MODE", value: "slow" },
    { name: "LEGACY", value: "1" },
  ];
  const containers = [
    { name: "c", image: "registry.example/web:0.9", env },
    { name: "sidecar", image: "registry.example/side:1" },
  ];
  const spec = object.spec as { readonly template: object };
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: { containers } } } };
}

/** An object of which the host's API server fills in a lot. */
export const SERVICE: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "front", namespace: NAMESPACE },
  spec: { type: "LoadBalancer", externalTrafficPolicy: "Local", selector: { app: "web" }, ports: [{ port: 80 }] },
};

/** An object of which the host's API server fills in a lot. */
export const JOB: KubeObject = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "once", namespace: NAMESPACE },
  spec: {
    ttlSecondsAfterFinished: 60,
    template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/job:1" }] } },
  },
};

/** An object of which the host's API server fills in a lot. */
export const CLAIM: KubeObject = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "disk", namespace: NAMESPACE },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
