// Is a support bundle without secrets, wherever they were planted, and whole although some of it cannot be read?
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../../../cli/program.js";
import type { KubeObject } from "../../../../crds/object.js";
import { eventually } from "../../support/eventually.js";
import { breakable } from "../../support/faults.js";
import { Site } from "../../support/site.js";

const clusters = breakable();
const PLANTED = "planted-c0ffee-planted";
const ENCODED = Buffer.from(PLANTED).toString("base64");
const NAMESPACE = "bundle";
const OPERATOR = "holdfast-system";
const LABELS = "{app.kubernetes.io/name: holdfast}";

const MANIFESTS = `
apiVersion: v1
kind: Secret
metadata:
  name: db
  namespace: ${NAMESPACE}
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"password":"${PLANTED}"}}'}
data: {password: ${ENCODED}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: ${NAMESPACE}}
data: {password: ${PLANTED}}
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: db, namespace: ${NAMESPACE}}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]
  overrideRules: [{overriders: {plaintext: [{path: /data/more, operator: add, value: ${PLANTED}}]}}]
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: db, namespace: ${NAMESPACE}}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}, {apiVersion: v1, kind: Secret}]
  placement: {clusterAffinity: {clusterNames: [member1]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: holdfast-planted, namespace: ${OPERATOR}, labels: ${LABELS}}
spec:
  replicas: 0
  selector: {matchLabels: ${LABELS}}
  template:
    metadata: {labels: ${LABELS}}
    spec: {containers: [{name: x, image: x, env: [{name: OTEL_EXPORTER_OTLP_HEADERS, value: "api-key=${PLANTED}"}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: holdfast-planted, namespace: ${OPERATOR}, labels: ${LABELS}}
spec:
  automountServiceAccountToken: false
  containers: [{name: x, image: x, env: [{name: API_TOKEN, value: ${PLANTED}}]}]
`;

async function tokensOf(host: Site): Promise<string[]> {
  const secrets = await host.list("Secret", "karmada-cluster");
  const values = secrets.flatMap(({ data }: KubeObject) => Object.values((data ?? {}) as Record<string, string>));
  expect(values.length).toBeGreaterThan(0);
  return values.flatMap(value => [value, Buffer.from(value, "base64").toString()]);
}

async function plant(host: Site): Promise<void> {
  onTestFinished(async () => {
    for (const kind of ["PropagationPolicy", "OverridePolicy", "Secret", "ConfigMap"]) {
      for (const { metadata } of await host.list(kind, NAMESPACE)) {
        if (metadata.name !== "kube-root-ca.crt")
          await host.delete({ kind, namespace: NAMESPACE, name: metadata.name });
      }
    }
    for (const kind of ["Deployment", "Pod"])
      await host.delete({ kind, namespace: OPERATOR, name: "holdfast-planted" });
    await host.delete({ kind: "Namespace", name: NAMESPACE });
    await host.close();
  });
  await host.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${NAMESPACE}}}`);
  await host.apply(MANIFESTS);
  await eventually("both Works carry what was planted", async () => {
    const works = JSON.stringify(await host.list("Work", "karmada-es-member1"));
    return works.includes(PLANTED) && works.includes(ENCODED);
  });
}

describe("support-bundle", () => {
  it("has everything in it but secrets, and names what it could not read", async () => {
    const host = Site.of(clusters.env(), "host");
    await plant(host);
    const directory = mkdtempSync(join(tmpdir(), "holdfast-bundle-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, "b.tar.gz");
    let said = "";
    const stream = { write: (text: string) => (said += text) };
    const args = ["support-bundle", "-o", file, "--kubeconfig", clusters.env().host.kubeconfig];

    const code = await run(args, { env: {}, stdout: stream, stderr: stream });

    // The planted pod never ran: nobody can ask it for its metrics.
    expect(code, said).toBe(4);
    expect(said).toMatch(/warning: not in it: metrics\/holdfast-planted\.txt: /);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = gunzipSync(readFileSync(file)).toString();
    for (const part of ["work.karmada.io/works.yaml", "check.txt", "versions.yaml", "operator/pods.yaml"]) {
      expect(text).toContain(`holdfast-support/${part}`);
    }
    expect(text).toContain("holdfast-support/logs/holdfast-planted.x.log");
    expect(text).toContain("metrics/holdfast-planted.txt: ");
    expect(text).toMatch(/name: db\n\s+namespace: bundle/);
    expect(text).not.toContain(PLANTED);
    expect(text).not.toContain(ENCODED);
    for (const token of await tokensOf(host)) expect(text.includes(token)).toBe(false);

    expect(await run(args, { env: {}, stdout: stream, stderr: stream })).toBe(2);
  });
});
