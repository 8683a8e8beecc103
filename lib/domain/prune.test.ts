// Does nothing travel that belongs to the host, and everything that people wrote?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { pruneServerChoices } from "./prune-kinds.js";
import { isHostOnlyKey, pruneForMember } from "./prune.js";

function object(kind: string, body: object, metadata: object = {}, apiVersion = "v1"): KubeObject {
  return { apiVersion, kind, metadata: { name: "x", namespace: "shop", ...metadata }, ...body };
}

describe("isHostOnlyKey", () => {
  it.each`
    key                                                   | answer
    ${"app"}                                              | ${false}
    ${"app.kubernetes.io/instance"}                       | ${false}
    ${"team.example/owner"}                               | ${false}
    ${"notkarmada.io/x"}                                  | ${false}
    ${"resourcetemplate.karmada.io/retain-replicas"}      | ${false}
    ${"karmada.io/managed"}                               | ${true}
    ${"clusterpropagationpolicy.karmada.io/permanent-id"} | ${true}
    ${"work.karmada.io/conflict-resolution"}              | ${true}
    ${"holdfast.dev/held"}                                | ${true}
    ${"kubefed.io/managed"}                               | ${true}
    ${"1b2c.pepr.dev/propagation"}                        | ${true}
    ${"argocd.argoproj.io/tracking-id"}                   | ${true}
    ${"kustomize.toolkit.fluxcd.io/name"}                 | ${true}
    ${"reconcile.fluxcd.io/requestedAt"}                  | ${false}
    ${"kubectl.kubernetes.io/last-applied-configuration"} | ${true}
    ${"kubectl.kubernetes.io/restartedAt"}                | ${false}
    ${"deployment.kubernetes.io/revision"}                | ${true}
    ${"pv.kubernetes.io/bind-completed"}                  | ${true}
  `("answers $answer for $key", ({ key, answer }: { key: string; answer: boolean }) => {
    expect(isHostOnlyKey(key)).toBe(answer);
  });
});

describe("pruneForMember", () => {
  it("keeps of metadata only name, namespace and what people wrote into labels and annotations", () => {
    const metadata = {
      uid: "1",
      resourceVersion: "2",
      generation: 3,
      creationTimestamp: "2026-01-01T00:00:00Z",
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 30,
      finalizers: ["team.example/hold"],
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "1" }],
      managedFields: [{ manager: "kubectl" }],
      selfLink: "/x",
      labels: { app: "web", "karmada.io/managed": "true" },
      annotations: { "holdfast.dev/held": "{}" },
    };

    const pruned = pruneForMember(object("ConfigMap", { data: { a: "1" }, status: {} }, metadata));

    expect(pruned).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "x", namespace: "shop", labels: { app: "web" } },
      data: { a: "1" },
    });
  });

  const jobLabels = {
    "controller-uid": "1",
    "job-name": "x",
    "batch.kubernetes.io/controller-uid": "1",
    "batch.kubernetes.io/job-name": "x",
  };
  const job = (spec: object, labels?: object) => object("Job", { spec }, { labels }, "batch/v1");
  const jobSpec = { selector: { matchLabels: jobLabels }, ttlSecondsAfterFinished: 9 };

  it.each`
    what                                        | given                                                                                                                      | body
    ${"a Job's generated selector and labels"}  | ${job({ ...jobSpec, template: { metadata: { labels: { ...jobLabels, app: "j" } }, spec: {} } })}                           | ${{ spec: { template: { metadata: { labels: { app: "j" } }, spec: {} } } }}
    ${"a Job's labels with their map"}          | ${job({ ...jobSpec, template: { metadata: { labels: jobLabels }, spec: {} } })}                                            | ${{ spec: { template: { spec: {} } } }}
    ${"a Job's time to live alone"}             | ${job({ ...jobSpec, manualSelector: true })}                                                                               | ${{ spec: { manualSelector: true, selector: { matchLabels: jobLabels } } }}
    ${"the token of a ServiceAccount"}          | ${object("Secret", { type: "kubernetes.io/service-account-token", data: { token: "x" } })}                                 | ${{ type: "kubernetes.io/service-account-token" }}
    ${"nothing of another Secret"}              | ${object("Secret", { type: "Opaque", data: { a: "x" } })}                                                                  | ${{ type: "Opaque", data: { a: "x" } }}
    ${"generated token references"}             | ${object("ServiceAccount", { secrets: [{ name: "x-token-abc" }, { name: "mine" }] })}                                      | ${{ secrets: [{ name: "mine" }] }}
    ${"the last token reference with its list"} | ${object("ServiceAccount", { secrets: [{ name: "x-token-abc" }] })}                                                        | ${{}}
    ${"a Service's addresses"}                  | ${object("Service", { spec: { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1", "fd::1"], ports: [{ nodePort: 30000 }] } })} | ${{ spec: { ports: [{ nodePort: 30000 }] } }}
    ${"nothing of a headless Service"}          | ${object("Service", { spec: { clusterIP: "None", clusterIPs: ["None"] } })}                                                | ${{ spec: { clusterIP: "None", clusterIPs: ["None"] } }}
    ${"a Namespace's own finalizers"}           | ${object("Namespace", { spec: { finalizers: ["kubernetes"] } })}                                                           | ${{}}
    ${"the claim's identity of a volume"}       | ${object("PersistentVolume", { spec: { claimRef: { name: "c", uid: "1", resourceVersion: "2" } } })}                       | ${{ spec: { claimRef: { name: "c" } } }}
    ${"what kubectl debug put into a Pod"}      | ${object("Pod", { spec: { containers: [], ephemeralContainers: [{ name: "debugger" }] } })}                                | ${{ spec: { containers: [] } }}
    ${"empty timestamps of pod templates"}      | ${object("Deployment", { spec: { template: { metadata: { creationTimestamp: null }, spec: {} } } }, {}, "apps/v1")}        | ${{ spec: { template: { spec: {} } } }}
    ${"nothing of an empty map"}                | ${object("NetworkPolicy", { spec: { podSelector: {}, ingress: [] } }, {}, "networking.k8s.io/v1")}                         | ${{ spec: { podSelector: {}, ingress: [] } }}
    ${"nothing of a foreign kind called Job"}   | ${object("Job", { spec: { selector: { a: 1 } } }, {}, "batch.volcano.sh/v1alpha1")}                                        | ${{ spec: { selector: { a: 1 } } }}
  `("takes $what", ({ given, body }: { given: KubeObject; body: object }) => {
    const before = structuredClone(given);
    const { apiVersion, kind, metadata } = given;

    expect({ ...pruneForMember(given), metadata }).toEqual({ apiVersion, kind, metadata, ...body });
    expect(given).toEqual(before);
  });

  it("takes the foreign uid from a Job's own labels, and leaves a job-name there", () => {
    expect(pruneForMember(job({}, jobLabels)).metadata.labels).toEqual({
      "job-name": "x",
      "batch.kubernetes.io/job-name": "x",
    });
  });
});

describe("pruneServerChoices", () => {
  const mounts = [{ name: "kube-api-access-1", mountPath: "/t" }];

  it.each`
    kind                       | spec                                                                                        | result
    ${"Service"}               | ${{ ports: [{ port: 80, nodePort: 30000 }], healthCheckNodePort: 1, ipFamilies: ["IPv4"] }} | ${{ ports: [{ port: 80 }] }}
    ${"PersistentVolumeClaim"} | ${{ volumeName: "pv", accessModes: [] }}                                                    | ${{ accessModes: [] }}
    ${"Pod"}                   | ${{ nodeName: "n", volumes: mounts, containers: [{ name: "c", volumeMounts: mounts }] }}    | ${{ containers: [{ name: "c" }] }}
    ${"PersistentVolume"}      | ${{ claimRef: { name: "c" }, capacity: {} }}                                                | ${{ capacity: {} }}
  `("takes what a server allocates from a $kind", ({ kind, spec, result }) => {
    expect(pruneServerChoices(object(kind, { spec })).spec).toEqual(result);
  });
});
