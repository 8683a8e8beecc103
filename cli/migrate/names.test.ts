// Are policies called as the plan, and as karmadactl, would have it?
import { describe, expect, it } from "vitest";
import { planPolicyName, promotedPolicyName } from "./names.js";

describe("planPolicyName", () => {
  it("is another one for another scope", () => {
    const cluster = "member1";
    const names = [
      { cluster },
      { cluster, kinds: ["deploy"] },
      { cluster, kinds: ["svc"] },
      { cluster, selector: "a=b" },
    ].map(planPolicyName);

    expect(names[0]).toBe("migrate-member1");
    expect(new Set(names).size).toBe(names.length);
    expect(planPolicyName({ cluster, namespace: "shop" })).toBe("migrate-member1");
  });
});

describe("promotedPolicyName", () => {
  const template = (name: string) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "default", name },
  });

  it("is the one that karmadactl gives (spec/karmada 1.7)", () => {
    expect(promotedPolicyName(template("nginx"))).toBe("nginx-6d7f8d5f5b");
  });

  it("stays a legal name", () => {
    expect(promotedPolicyName(template("x".repeat(253))).length).toBeLessThanOrEqual(253);
  });
});
