// Is everything found that a workload's Pods refer to?
import { describe, expect, it } from "vitest";
import { dependenciesOf } from "./dependencies.js";

const pod = {
  serviceAccountName: "runner",
  imagePullSecrets: [{ name: "pull" }],
  initContainers: [{ name: "i", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "one-key", key: "a" } } }] }],
  containers: [
    { name: "c", envFrom: [{ configMapRef: { name: "env" } }, { secretRef: { name: "env" } }] },
    { name: "d", env: [{ name: "B", valueFrom: { configMapKeyRef: { name: "env", key: "b" } } }] },
  ],
  volumes: [
    { name: "a", configMap: { name: "files" } },
    { name: "b", secret: { secretName: "cert" } },
    { name: "c", persistentVolumeClaim: { claimName: "data" } },
    { name: "d", projected: { sources: [{ secret: { name: "part" } }, { configMap: { name: "part" } }] } },
    { name: "e", emptyDir: {} },
  ],
};
const ALL = [
  ...["env", "files", "part"].map(name => `ConfigMap/${name}`),
  "PersistentVolumeClaim/data",
  ...["cert", "env", "one-key", "part", "pull"].map(name => `Secret/${name}`),
  "ServiceAccount/runner",
];

describe("dependenciesOf", () => {
  it.each`
    workload                 | object                                                                                                       | names
    ${"a Deployment"}        | ${{ apiVersion: "apps/v1", kind: "Deployment", spec: { template: { spec: pod } } }}                          | ${ALL}
    ${"a CronJob"}           | ${{ apiVersion: "batch/v1", kind: "CronJob", spec: { jobTemplate: { spec: { template: { spec: pod } } } } }} | ${ALL}
    ${"a Pod"}               | ${{ apiVersion: "v1", kind: "Pod", spec: pod }}                                                              | ${ALL}
    ${"a ConfigMap"}         | ${{ apiVersion: "v1", kind: "ConfigMap", data: { secret: "none" } }}                                         | ${[]}
    ${"the default account"} | ${{ apiVersion: "v1", kind: "Pod", spec: { serviceAccountName: "default" } }}                                | ${[]}
  `(
    "finds them in $workload",
    ({ object, names }: { object: { apiVersion: string; kind: string }; names: string[] }) => {
      const found = dependenciesOf({ metadata: { name: "x" }, ...object });
      expect(found.map(({ kind, name }) => `${kind}/${name}`)).toEqual(names);
    },
  );
});
