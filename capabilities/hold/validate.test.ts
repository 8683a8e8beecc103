// Is a person told what the hold does to what they wrote, and kept from starting everything by a label?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { hold } from "../../lib/domain/hold.js";
import { TEMPLATES_LABEL, TEMPLATES_RELEASED_ANNOTATION } from "../../lib/domain/marks.js";
import { statusAsItWas } from "./status.js";
import { validateNamespace } from "./validate-namespace.js";
import { adviseTaker, validate } from "./validate.js";

const object = (apiVersion: string, kind: string, spec: object = {}): KubeObject => ({
  ...{ apiVersion, kind, metadata: { namespace: "shop", name: "web" } },
  spec,
});

describe("validate", () => {
  const balancer = hold(object("v1", "Service", { type: "LoadBalancer", loadBalancerClass: "x" }), undefined);
  it.each([
    [
      "a value whose place was taken",
      balancer,
      undefined,
      [/^spec\.loadBalancerClass: your value goes to the members/],
    ],
    ["it only once", balancer, balancer, []],
    ["nothing of a held kind otherwise", hold(object("apps/v1", "Deployment"), undefined), undefined, []],
    ["a kind that cannot be held", object("networking.k8s.io/v1", "Ingress"), undefined, [/^Ingress is not held back/]],
    ["that only once", object("networking.k8s.io/v1", "Ingress"), object("networking.k8s.io/v1", "Ingress"), []],
    ["nothing of our own kinds", object("policy.karmada.io/v1alpha1", "PropagationPolicy"), undefined, []],
    ["nothing of the operator's own kinds", object("holdfast.dev/v1alpha1", "AdoptionSnapshot"), undefined, []],
  ])("warns of %s", (_, given, old, warnings) => {
    const verdict = validate(given, { ...(old && { old }) });
    expect(verdict.errors).toEqual([]);
    expect(verdict.warnings).toHaveLength(warnings.length);
    warnings.forEach((warning, index) => expect(verdict.warnings[index]).toMatch(warning));
  });
});

describe("adviseTaker", () => {
  const inSpace = (namespace: string) => {
    const held = hold({ ...object("batch/v1", "CronJob"), metadata: { namespace, name: "nightly" } }, undefined);
    return adviseTaker({ ...held, spec: {} }, held).warnings;
  };

  it("says in one line what is put back, and what to do instead", () => {
    const held = hold(object("apps/v1", "Deployment"), undefined);
    expect(adviseTaker({ ...held, spec: {} }, held)).toEqual({
      errors: [],
      warnings: ["spec.paused: put back, members go without it; to run it here: holdfast templates release shop --run"],
    });
    expect(adviseTaker(held, held).warnings).toEqual([]);
  });

  it("is never so long that the end, which says what to do, is cut", () => {
    expect(inSpace("shop")[0]).toMatch(/release shop --run$/);
    expect(inSpace("x".repeat(63))[0]).toMatch(/release NS --run$/);
    const held = hold(object("apps/v1", "Deployment"), undefined);
    const unmarked = { ...held, metadata: { ...held.metadata, labels: {}, namespace: "x".repeat(63) } };
    expect(adviseTaker(unmarked, held).warnings[0]).toMatch(/release NS --run$/);
  });
});

describe("validateNamespace", () => {
  const namespace = (label?: string, metadata: object = {}): KubeObject => ({
    ...{ apiVersion: "v1", kind: "Namespace" },
    metadata: { name: "shop", ...(label && { labels: { [TEMPLATES_LABEL]: label } }), ...metadata },
  });
  const released = (word: string) => ({ annotations: { [TEMPLATES_RELEASED_ANNOTATION]: word } });
  const full = { found: [..."abcd"].map(name => ({ kind: "Deployment", name })), unread: [] };
  const empty = { found: [], unread: [] };
  const silent = { found: [], unread: ["Job"] };

  it.each`
    given                                      | now                                                 | old                                   | there     | refused
    ${"to a namespace that is full"}           | ${namespace("true")}                                | ${namespace()}                        | ${full}   | ${/it has Deployment a, Deployment b, Deployment c and 1 more; what runs in shop already cannot be held/}
    ${"to one that is empty"}                  | ${namespace("true")}                                | ${namespace()}                        | ${empty}  | ${undefined}
    ${"to one that cannot be looked into"}     | ${namespace("true")}                                | ${namespace()}                        | ${silent} | ${/cannot be told whether it is empty \(Job\)/}
    ${"with a value that means nothing"}       | ${namespace("yes")}                                 | ${namespace()}                        | ${full}   | ${undefined}
    ${"where it is already"}                   | ${namespace("true")}                                | ${namespace("true")}                  | ${full}   | ${undefined}
    ${"off, where templates would start"}      | ${namespace()}                                      | ${namespace("true")}                  | ${full}   | ${/that would start here\. holdfast templates release shop --run or --delete/}
    ${"off, by another value"}                 | ${namespace("false")}                               | ${namespace("true")}                  | ${full}   | ${/that would start here/}
    ${"off, where nothing is"}                 | ${namespace()}                                      | ${namespace("true")}                  | ${empty}  | ${undefined}
    ${"off, with the word that all may run"}   | ${namespace(undefined, released("run"))}            | ${namespace("true")}                  | ${full}   | ${undefined}
    ${"off, with a word from another time"}    | ${namespace(undefined, released("run"))}            | ${namespace("true", released("run"))} | ${full}   | ${/that would start here/}
    ${"off, with another word"}                | ${namespace(undefined, released("yes"))}            | ${namespace("true")}                  | ${full}   | ${/that would start here/}
    ${"off a namespace that is being deleted"} | ${namespace(undefined, { deletionTimestamp: "t" })} | ${namespace("true")}                  | ${full}   | ${undefined}
  `("answers who puts the label $given", ({ now, old, there, refused }) => {
    const { errors } = validateNamespace(now as KubeObject, old as KubeObject, there as typeof empty);
    expect(errors.map(({ detail }) => detail)).toEqual(refused ? [expect.stringMatching(refused as RegExp)] : []);
  });
});

describe("statusAsItWas", () => {
  it("gives the host's controllers no say, whether there was a status or not", () => {
    const said = { ...object("apps/v1", "Deployment"), status: { replicas: 0 } };
    const was = { ...object("apps/v1", "Deployment"), status: { replicas: 4 } };
    expect(statusAsItWas(said, was)["status"]).toEqual({ replicas: 4 });
    expect(statusAsItWas(said, object("apps/v1", "Deployment"))).not.toHaveProperty("status");
  });
});
