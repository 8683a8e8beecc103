// Every message a person can get about a Cluster.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import { validate } from "./validate.js";

const GOOD = {
  syncMode: "Push",
  apiEndpoint: "https://10.0.0.1:6443",
  secretRef: { namespace: "karmada-cluster", name: "m1" },
};

function cluster(spec: object = {}, name = "m1"): KubeObject {
  return { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: { name }, spec: { ...GOOD, ...spec } };
}

function models(...ranges: [string, string][]): KubeObject {
  const resourceModels = ranges.map(([min, max], grade) => ({ grade, ranges: [{ name: "cpu", min, max }] }));
  return cluster({ resourceModels });
}

const MAX = "9223372036854775807";

describe("validate refuses", () => {
  it.each`
    given                                    | object                                                                                                              | says
    ${"a name that is too long"}             | ${cluster({}, "a".repeat(49))}                                                                                      | ${`metadata.name: Too many: "${"a".repeat(49)}": at most 48 characters`}
    ${"a name with a dot"}                   | ${cluster({}, "a.b")}                                                                                               | ${'metadata.name: Invalid value: "a.b": not a DNS label'}
    ${"no sync mode"}                        | ${cluster({ syncMode: undefined })}                                                                                 | ${"spec.syncMode: "}
    ${"an unknown sync mode"}                | ${cluster({ syncMode: "push" })}                                                                                    | ${'spec.syncMode: Unsupported value: "push": supported values: "Push", "Pull"'}
    ${"pull, which is not built yet"}        | ${cluster({ syncMode: "Pull" })}                                                                                    | ${"spec.syncMode: Forbidden: Pull is not supported by this version; write Push"}
    ${"an endpoint without a scheme"}        | ${cluster({ apiEndpoint: "10.0.0.1:6443" })}                                                                        | ${'spec.apiEndpoint: Invalid value: "10.0.0.1:6443": not the URL of a server; write https://HOST:PORT'}
    ${"an endpoint of another scheme"}       | ${cluster({ apiEndpoint: "ftp://x" })}                                                                              | ${"spec.apiEndpoint: Invalid value"}
    ${"an endpoint with a query"}            | ${cluster({ apiEndpoint: "https://x/?a=b" })}                                                                       | ${"spec.apiEndpoint: Forbidden: a query has no meaning here"}
    ${"an endpoint with a fragment"}         | ${cluster({ apiEndpoint: "https://x/#a" })}                                                                         | ${"spec.apiEndpoint: Forbidden: a fragment has no meaning here"}
    ${"a proxy of another scheme"}           | ${cluster({ proxyURL: "ftp://x" })}                                                                                 | ${"spec.proxyURL: Invalid value: not the URL of a proxy"}
    ${"a Secret without a name"}             | ${cluster({ secretRef: { namespace: "a", name: "" } })}                                                             | ${"spec.secretRef.name: Required value"}
    ${"an impersonator without a namespace"} | ${cluster({ impersonatorSecretRef: { namespace: "", name: "a" } })}                                                 | ${"spec.impersonatorSecretRef.namespace: Required value"}
    ${"a provider that is no label value"}   | ${cluster({ provider: "a b" })}                                                                                     | ${'spec.provider: Invalid value: "a b"'}
    ${"a region that is no label value"}     | ${cluster({ region: "-a" })}                                                                                        | ${"spec.region: Invalid value"}
    ${"a zone twice"}                        | ${cluster({ zones: ["a", "a"] })}                                                                                   | ${'spec.zones[1]: Duplicate value: "a"'}
    ${"an empty zone"}                       | ${cluster({ zones: [""] })}                                                                                         | ${"spec.zones[0]: Required value"}
    ${"zone and zones that differ"}          | ${cluster({ zone: "a", zones: ["b"] })}                                                                             | ${"spec.zone: Forbidden: the old form of zones, which is set too"}
    ${"a taint twice"}                       | ${cluster({ taints: [{ key: "a", effect: "NoExecute" }, { key: "a", value: "b", effect: "NoExecute" }] })}          | ${'spec.taints[1]: Duplicate value: "a:NoExecute"'}
    ${"a taint key that is none"}            | ${cluster({ taints: [{ key: "a b", effect: "NoExecute" }] })}                                                       | ${"spec.taints[0].key: Invalid value"}
    ${"an unknown taint effect"}             | ${cluster({ taints: [{ key: "a", effect: "Never" }] })}                                                             | ${'spec.taints[0].effect: Unsupported value: "Never"'}
    ${"a grade twice"}                       | ${cluster({ resourceModels: [{ grade: 0, ranges: [] }, { grade: 0, ranges: [] }] })}                                | ${"spec.resourceModels[1].grade: Duplicate value: 0"}
    ${"grades with other resources"}         | ${cluster({ resourceModels: [{ grade: 0, ranges: [] }, { grade: 1, ranges: [{ name: "cpu", min: 0, max: 1 }] }] })} | ${"spec.resourceModels[1].ranges: Invalid value"}
    ${"a range that is empty"}               | ${models(["1", "1"])}                                                                                               | ${'spec.resourceModels[0].ranges[0].max: Invalid value: "1": must be more than min'}
    ${"a lowest grade that leaves some out"} | ${models(["1", MAX])}                                                                                               | ${'spec.resourceModels[0].ranges[0].min: Invalid value: "1": the lowest grade begins at 0; write 0'}
    ${"a highest grade that ends"}           | ${models(["0", "2"])}                                                                                               | ${`spec.resourceModels[0].ranges[0].max: Invalid value: "2": the highest grade has no end; write ${MAX}`}
    ${"a gap between grades"}                | ${models(["0", "1"], ["2", MAX])}                                                                                   | ${'spec.resourceModels[1].ranges[0].min: Invalid value: "2": must go on where the grade below ends; write 1'}
  `("$given", ({ object, says }) => {
    expect(validate(object).errors.map(formatFieldError).join("\n")).toContain(says);
  });

  it("credentials in the endpoint, without repeating them", () => {
    const text = validate(cluster({ apiEndpoint: "https://me:hunter2@x" }))
      .errors.map(formatFieldError)
      .join("\n");
    expect(text).toContain("spec.apiEndpoint: Forbidden: credentials belong in secretRef");
    expect(text).not.toContain("hunter2");
  });

  it("everything at once", () => {
    expect(validate(cluster({ provider: "a b", apiEndpoint: "x", zones: [""] }, "A")).errors).toHaveLength(4);
  });
});

describe("validate warns of", () => {
  it.each`
    given                            | object                                            | says
    ${"a push without an endpoint"}  | ${cluster({ apiEndpoint: undefined })}            | ${"spec.apiEndpoint: without it"}
    ${"a push without a Secret"}     | ${cluster({ secretRef: undefined })}              | ${"spec.secretRef: without it"}
    ${"a certificate nobody checks"} | ${cluster({ insecureSkipTLSVerification: true })} | ${"spec.insecureSkipTLSVerification"}
  `("$given", ({ object, says }) => {
    expect(validate(object)).toEqual({ errors: [], warnings: [expect.stringContaining(says)] });
  });
});

describe("validate takes", () => {
  it.each`
    given                                | object
    ${"a plain cluster"}                 | ${cluster()}
    ${"a socks proxy"}                   | ${cluster({ proxyURL: "socks5://proxy:1080" })}
    ${"a zone that was copied to zones"} | ${cluster({ zone: "a", zones: ["a"] })}
    ${"grades without a gap"}            | ${models(["0", "1"], ["1", "2"], ["2", MAX])}
    ${"one taint key with two effects"}  | ${cluster({ taints: [{ key: "a", effect: "NoSchedule" }, { key: "a", effect: "NoExecute" }] })}
  `("$given", ({ object }) => {
    expect(validate(object)).toEqual({ errors: [], warnings: [] });
  });

  it.each(["overview-cluster.yaml", "overview-cluster-status.yaml"])("the overview's Cluster in %s", name => {
    const text = readFileSync(join(import.meta.dirname, "../../test/fixtures/seeds", name), "utf8");
    expect(validate(parse(text) as KubeObject)).toEqual({ errors: [], warnings: [] });
  });
});
