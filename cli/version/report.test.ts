// Does a person learn what does not go together, and nothing else?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Installation } from "../operator/installation.js";
import { crdVersions, versionReport } from "./report.js";

function crd(name: string, version?: string): { name: string; found: KubeObject } {
  const annotations: Record<string, string> = version === undefined ? {} : { "holdfast.dev/version": version };
  const found = { apiVersion: "v1", kind: "CustomResourceDefinition", metadata: { name, annotations } };
  return { name, found };
}

const deployment = (name: string, version: string): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels: { "app.kubernetes.io/version": version } },
});

interface Given {
  readonly operator?: string;
  readonly crds?: readonly string[];
  readonly server?: string;
  readonly deployments?: readonly KubeObject[];
}

function installation({ operator = "0.3.0", crds = ["0.3.0"], server = "v1.34.4", deployments = [] }: Given) {
  const metadata = { name: "holdfast-watcher", annotations: { "holdfast.dev/version": operator } };
  const found: Installation = {
    namespace: "holdfast-system",
    server: { got: server },
    lease: { got: { apiVersion: "v1", kind: "Lease", metadata, spec: { holderIdentity: "pod_1" } } },
    deployments: { got: deployments },
    crds: { got: crds.map((version, i) => crd(`kind${i}`, version)) },
  };
  return found;
}

const warnings = (client: string, given: Given): readonly string[] =>
  versionReport(client, installation(given), { got: [] }).warnings.map(({ message, fix }) => `${message}: ${fix}`);

describe("versionReport", () => {
  it.each`
    case                                       | client     | given
    ${"all of one version"}                    | ${"0.3.0"} | ${{}}
    ${"a client one minor version behind"}     | ${"0.2.9"} | ${{}}
    ${"a client one minor version ahead"}      | ${"0.4.0"} | ${{}}
    ${"CRDs of the release that is to come"}   | ${"0.3.0"} | ${{ crds: ["0.4.0"] }}
    ${"the oldest host"}                       | ${"0.3.0"} | ${{ server: "v1.30.0" }}
    ${"deployments of the operator's version"} | ${"0.3.0"} | ${{ deployments: [deployment("holdfast-admission", "0.3.0")] }}
  `("warns of nothing with $case", ({ client, given }: { client: string; given: Given }) => {
    expect(warnings(client, given)).toEqual([]);
  });

  it.each`
    case                             | client     | given                                                           | says
    ${"a client two versions off"}   | ${"0.1.0"} | ${{}}                                                           | ${/v0\.1\.0, the operator v0\.3\.0: .*use holdfast v0\.3\.0/}
    ${"another major version"}       | ${"1.3.0"} | ${{}}                                                           | ${/more than one minor version apart/}
    ${"one older CRD"}               | ${"0.3.0"} | ${{ crds: ["0.3.0", "0.2.0"] }}                                 | ${/CRDs are of v0\.2\.0, older than v0\.3\.0: helm upgrade/}
    ${"a host that is too old"}      | ${"0.3.0"} | ${{ server: "v1.29.9" }}                                        | ${/Kubernetes v1\.29\.9, .*upgrade the host/}
    ${"a deployment of another one"} | ${"0.3.0"} | ${{ deployments: [deployment("holdfast-admission", "0.2.0")] }} | ${/holdfast-admission is v0\.2\.0/}
  `(
    "warns of $case, and says what to do",
    ({ client, given, says }: { client: string; given: Given; says: RegExp }) => {
      expect(warnings(client, given)).toEqual([expect.stringMatching(says)]);
    },
  );

  it("says why the operator's version is not known", () => {
    const nobody = { ...installation({}), lease: { got: undefined } };
    const { operator } = versionReport("0.3.0", nobody, { got: [] });
    expect(operator).toMatchObject({ version: undefined, why: "no watcher leads" });
  });
});

describe("crdVersions", () => {
  it("tells those that are missing, and those that say nothing", () => {
    const crds = { got: [crd("a", "0.10.0"), crd("b", "0.9.0"), crd("c"), { name: "d", found: undefined }] };
    expect(crdVersions(crds)).toMatchObject({ version: "0.9.0", missing: ["d"], unmarked: ["c"] });
  });

  it("passes on why they cannot be read", () => {
    expect(crdVersions({ why: "forbidden" })).toMatchObject({ version: undefined, missing: [], why: "forbidden" });
  });
});
