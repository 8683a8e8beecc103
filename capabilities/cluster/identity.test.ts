// Is a cluster that is not the one it was joined as kept from getting workloads?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import { identityProblem } from "./identity.js";
import { clusterWith } from "./samples.js";

const younger = { metadata: { name: "alias", uid: "u2", creationTimestamp: "2026-02-01T00:00:00Z" } };

describe("identityProblem", () => {
  it.each`
    cluster                              | all                                    | reason                      | sentence
    ${clusterWith({ id: "A" })}          | ${[]}                                  | ${undefined}                | ${"accepts the cluster that was joined"}
    ${clusterWith()}                     | ${[]}                                  | ${undefined}                | ${"accepts any cluster where no identity is on record"}
    ${clusterWith({ id: "B" })}          | ${[]}                                  | ${"ClusterIdentityChanged"} | ${"refuses a cluster that was rebuilt"}
    ${clusterWith({ id: "A" }, younger)} | ${[clusterWith({ id: "A" })]}          | ${"ClusterAlreadyJoined"}   | ${"refuses the second name of one cluster"}
    ${clusterWith({ id: "A" })}          | ${[clusterWith({ id: "A" }, younger)]} | ${undefined}                | ${"lets the first name of one cluster be"}
    ${clusterWith({ id: "A" })}          | ${[clusterWith({ id: "A" })]}          | ${undefined}                | ${"is not its own twin"}
  `("$sentence", ({ cluster, all, reason }: { cluster: Cluster; all: Cluster[]; reason?: string }) => {
    expect(identityProblem(cluster, "A", all)?.reason).toBe(reason);
  });

  it("refuses the host itself, whatever else is right, and says what to do", () => {
    const verdict = identityProblem(clusterWith({ id: "A" }), "A", [], "A");
    expect(verdict?.reason).toBe("ClusterIsHost");
    expect(verdict?.message).toContain("Unjoin m1");
    expect(identityProblem(clusterWith({ id: "A" }), "A", [], "B")).toBeUndefined();
  });

  it("names the other name, and the command that accepts a rebuilt cluster", () => {
    const twin = identityProblem(clusterWith({}, younger), "A", [clusterWith({ id: "A" })]);
    const rebuilt = identityProblem(clusterWith({ id: "B" }), "A", []);

    expect(twin?.message).toContain("under the name m1");
    expect(rebuilt?.message).toContain(`kubectl patch cluster m1 --type merge -p '{"spec":{"id":"A"}}'`);
  });
});
