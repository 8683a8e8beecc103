// Does unjoin take from a member only what a join of this control plane put there?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../crds/object.js";
import { CONTROL_PLANES_ANNOTATION, memberObjects, planMemberFarewell, usedBy } from "./member-objects.js";

function account(name: string, planes?: string, system = "true"): KubeObject {
  const annotations = planes === undefined ? undefined : { [CONTROL_PLANES_ANNOTATION]: planes };
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, namespace: "karmada-cluster", labels: { "karmada.io/system": system }, annotations },
  };
}

describe("planMemberFarewell", () => {
  it.each`
    live                                    | others            | action         | sentence
    ${account("karmada-m1", "H1")}          | ${[]}             | ${"delete"}    | ${"deletes what only this control plane uses"}
    ${account("karmada-m1", "H1,H2")}       | ${[]}             | ${"hand over"} | ${"leaves to another control plane what both use"}
    ${account("karmada-m1", "H2")}          | ${[]}             | ${"hand over"} | ${"leaves to another control plane what is its own"}
    ${account("karmada-m1")}                | ${[]}             | ${"delete"}    | ${"deletes what karmadactl made"}
    ${account("karmada-impersonator")}      | ${["karmada-m2"]} | ${"keep"}      | ${"keeps karmadactl's impersonator while another join needs it"}
    ${account("karmada-impersonator")}      | ${[]}             | ${"delete"}    | ${"deletes karmadactl's impersonator with the last join"}
    ${account("karmada-m1", "H1", "false")} | ${[]}             | ${"keep"}      | ${"keeps what no join made, whatever its name"}
  `("$sentence", ({ live, others, action }: { live: KubeObject; others: string[]; action: string }) => {
    expect(planMemberFarewell(live, "H1", others).action).toBe(action);
  });
});

describe("usedBy", () => {
  it("names each control plane once, beside those that are there", () => {
    const again = usedBy(account("karmada-m1"), account("karmada-m1", "H2,H1"), "H1");

    expect(again.metadata.annotations?.[CONTROL_PLANES_ANNOTATION]).toBe("H1,H2");
  });
});

describe("memberObjects", () => {
  it("makes the namespace first and the rights last, all of them labelled", () => {
    const objects = memberObjects({ cluster: "m1", namespace: "karmada-cluster" }).map(({ object }) => object);

    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      "Namespace/karmada-cluster",
      "ServiceAccount/karmada-impersonator",
      "ServiceAccount/karmada-m1",
      "Secret/karmada-impersonator",
      "Secret/karmada-m1",
      "ClusterRole/karmada-controller-manager:karmada-m1",
      "ClusterRoleBinding/karmada-controller-manager:karmada-m1",
    ]);
    expect(objects.every(({ metadata }) => metadata.labels?.["karmada.io/system"] === "true")).toBe(true);
  });
});
