// Is an answer of the member taken for what it is, and silence never for an answer?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { MemberAccess } from "../access/member.js";
import { colorsFor } from "../output/color.js";
import { assess, type AssessContext } from "./assess.js";
import type { Subject } from "./verdict.js";

const live: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: "u1" },
  spec: { replicas: 1, template: { spec: { containers: [{ name: "c", image: "web:1" }] } } },
};
const resource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
  verbs: ["get"],
  subresources: [],
};
const subject = (kind: Partial<Subject["kind"]> = {}): Subject => ({
  kind: { resource, onHost: resource, hostVersions: ["apps/v1"], ...kind },
  live,
  template: live,
});

/** A member that answers every dry run with this. */
function contextWith(answer: KubeObject | Error, hostRuns = false): AssessContext {
  const apply = () =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ created: false, object: answer });
  const cluster = { metadata: { name: "m1" }, spec: {} } as unknown as Cluster;
  const member = { name: "m1", cluster, objects: () => ({ apply }) } as unknown as MemberAccess;
  const facts = { cluster: "m1", templates: new Map(), works: new Map(), policies: [], ownPolicies: ["migrate-m1"] };
  const policies = { propagation: [], overrides: [] };
  return { member, facts, policies, hostRuns, colors: colorsFor(false, {}, "never") };
}

const scaled = { ...live, spec: { ...(live["spec"] as object), replicas: 2 } };
const rolled = { ...live, spec: { replicas: 1, template: { spec: { containers: [{ name: "c", image: "web:2" }] } } } };

describe("assess", () => {
  it.each`
    what                                | answer    | verdict
    ${"the same"}                       | ${live}   | ${{ state: "ready" }}
    ${"another replica count"}          | ${scaled} | ${{ state: "changes", rollsOut: false }}
    ${"another image, which rolls out"} | ${rolled} | ${{ state: "changes", rollsOut: true }}
  `("says $verdict.state where the member answers with $what", async ({ answer, verdict }) => {
    expect((await assess(subject(), contextWith(answer as KubeObject))).verdict).toMatchObject(verdict as object);
  });

  it.each`
    what                                | error                                                                 | wayOut
    ${"an immutable field"}             | ${new KubeError(422, "Invalid", "spec.selector: field is immutable")} | ${"OverridePolicy"}
    ${"a webhook that says no"}         | ${new KubeError(403, "Forbidden", "admission webhook denied it")}     | ${"see what m1 says"}
    ${"a webhook that does not answer"} | ${new KubeError(500, "InternalError", 'failed calling webhook "x"')}  | ${"see what m1 says"}
    ${"a rule that does not fit"}       | ${new Error("overrideRules[0]: no such path")}                        | ${"see what m1 says"}
  `("blocks one object, and no other, for $what", async ({ error, wayOut }: { error: Error; wayOut: string }) => {
    const { verdict } = await assess(subject(), contextWith(error));
    expect(verdict).toMatchObject({ state: "blocked", wayOut: expect.stringContaining(wayOut) as string });
    expect(verdict).toMatchObject({ why: expect.stringContaining(error.message) as string });
  });

  it.each`
    what                         | error
    ${"no answer"}               | ${new KubeError(0, "", "timed out")}
    ${"a plea for patience"}     | ${new KubeError(429, "TooManyRequests", "later")}
    ${"no right to look"}        | ${new KubeError(401, "Unauthorized", "no")}
    ${"a server that is not up"} | ${new KubeError(503, "ServiceUnavailable", "starting")}
  `("takes $what for none", async ({ error }: { error: KubeError }) => {
    await expect(assess(subject(), contextWith(error))).rejects.toBe(error);
  });

  it("says what would also start on the host, where that has nodes, unless it does not come there", async () => {
    const starts = "the host has nodes: it would also start on the host";
    expect((await assess(subject(), contextWith(live, true))).remarks).toEqual([starts]);
    expect((await assess(subject(), contextWith(live, false))).remarks).toEqual([]);
    const configMap = { ...live, apiVersion: "v1", kind: "ConfigMap" };
    const quiet = { ...subject(), live: configMap, template: configMap };
    expect((await assess(quiet, contextWith(configMap, true))).remarks).toEqual([]);
    const { verdict, remarks } = await assess(subject({ onHost: undefined }), contextWith(live, true));
    expect([verdict.state, remarks]).toEqual(["blocked", []]);
  });
});
