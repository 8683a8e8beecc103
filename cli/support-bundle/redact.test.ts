// Does nothing that could be a secret leave, and does what tells how things are stay?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { redacted, withoutCredentials } from "./redact.js";

const SECRET = "hunter2-hunter2";
const object = (kind: string, more: object, annotations?: Record<string, string>): KubeObject => ({
  ...{ apiVersion: "v1", kind, metadata: { name: "x", annotations, managedFields: [{ fieldsV1: { SECRET } }] } },
  ...more,
});
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "db", namespace: "shop", labels: { a: SECRET } } };
const override = { overriders: { plaintext: [{ path: "/data/p", operator: "add", value: SECRET }] } };
const pod = { containers: [{ name: "watcher", env: [{ name: "API_TOKEN", value: SECRET }] }] };

describe("redacted", () => {
  it.each`
    place                                    | planted
    ${"the manifests of a Work"}             | ${object("Work", { spec: { workload: { manifests: [{ ...secret, data: { p: SECRET } }] } } })}
    ${"what a member says of an object"}     | ${object("Work", { status: { manifestStatuses: [{ status: { p: SECRET } }] } })}
    ${"the summed-up status in a binding"}   | ${object("ResourceBinding", { status: { aggregatedStatus: [{ status: { p: SECRET } }] } })}
    ${"a snapshot"}                          | ${object("AdoptionSnapshot", { spec: { object: { data: SECRET } } })}
    ${"a compressed snapshot"}               | ${object("AdoptionSnapshot", { spec: { compressed: SECRET } })}
    ${"the value of an override"}            | ${object("OverridePolicy", { spec: { overrideRules: [override] } })}
    ${"the value of a wide override"}        | ${object("ClusterOverridePolicy", { spec: { overriders: override.overriders } })}
    ${"overrides that a Work remembers"}     | ${object("Work", {}, { "policy.karmada.io/applied-overrides": SECRET })}
    ${"what kubectl remembers"}              | ${object("Cluster", {}, { "kubectl.kubernetes.io/last-applied-configuration": SECRET })}
    ${"headers of a proxy"}                  | ${object("Cluster", { spec: { proxyHeader: { "Proxy-Authorization": SECRET } } })}
    ${"the environment of a pod"}            | ${object("Pod", { spec: pod })}
    ${"the environment of a Deployment"}     | ${object("Deployment", { spec: { template: { spec: pod } } })}
    ${"the secret part of a webhook's path"} | ${object("ValidatingWebhookConfiguration", { webhooks: [{ clientConfig: { url: SECRET, service: { path: SECRET } } }] })}
  `("leaves nothing of $place", ({ planted }: { planted: KubeObject }) => {
    expect(JSON.stringify(planted)).toContain(SECRET);
    expect(JSON.stringify(redacted(planted))).not.toContain(SECRET);
  });

  it("keeps who it is and how it does", () => {
    const conditions = [{ type: "Applied", status: "False", reason: "Conflict", message: "is there" }];
    const work = object(
      "Work",
      { spec: { workload: { manifests: [secret] } }, status: { conditions } },
      { "holdfast.dev/order": "keep" },
    );
    expect(redacted(work)).toEqual({
      ...{ apiVersion: "v1", kind: "Work", metadata: { name: "x", annotations: { "holdfast.dev/order": "keep" } } },
      spec: {
        workload: {
          manifests: [
            { apiVersion: "v1", kind: "Secret", metadata: { namespace: "shop", name: "db" }, content: "REDACTED" },
          ],
        },
      },
      status: { conditions },
    });
  });

  it("keeps the settings that hold no secret, and where others come from", () => {
    const valueFrom = { secretKeyRef: { name: "holdfast-api-path", key: "value" } };
    const env = [
      { name: "LOG_LEVEL", value: "debug" },
      { name: "PEPR_API_PATH", valueFrom },
    ];
    expect(redacted(object("Pod", { spec: { env } }))["spec"]).toEqual({ env });
  });
});

describe("withoutCredentials", () => {
  it.each`
    what                   | text
    ${"a token"}           | ${"got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl from x"}
    ${"a header"}          | ${"Authorization: Bearer abcdefgh12345678"}
    ${"a key"}             | ${"-----BEGIN RSA PRIVATE KEY-----\nabcdefgh12345678\n-----END RSA PRIVATE KEY-----"}
    ${"half a key"}        | ${"-----BEGIN PRIVATE KEY-----\nabcdefgh12345678"}
    ${"a URL"}             | ${"https://me:abcdefgh12345678@proxy.example/x"}
    ${"YAML"}              | ${"token: abcdefgh12345678"}
    ${"JSON"}              | ${'{"password":"abcdefgh12345678","a":1}'}
    ${"a kubeconfig"}      | ${"    client-key-data: abcdefgh12345678"}
    ${"a URL with an @"}   | ${"https://me:abcd@efgh@abcdefgh12345678@proxy.example/x"}
    ${"a sentence"}        | ${'password: "correct horse abcdefgh12345678 staple"'}
    ${"JSON in a log"}     | ${String.raw`{"level":40,"error":"bad: {\"password\":\"abcdefgh12345678\"}"}`}
    ${"Pepr's first line"} | ${"Using API path: abcdefgh12345678"}
    ${"admission's path"}  | ${"POST /validate/abcdefgh12345678?timeout=10s"}
  `("finds $what", ({ text }: { text: string }) => {
    expect(withoutCredentials(text)).not.toMatch(/abcdefgh12345678|c2lnbmF0dXJl/);
    expect(withoutCredentials(text)).toContain("REDACTED");
  });

  it.each([
    "volumes:\n- name: tls\n  secret:\n    secretName: holdfast-tls\n",
    "spec:\n  secretRef:\n    name: member1\n    namespace: karmada-cluster\n",
    '{"level":30,"msg":"let go","kind":"Secret","name":"db","order":"keep"}',
  ])("leaves names alone: %s", text => {
    expect(withoutCredentials(text)).toBe(text);
  });
});
