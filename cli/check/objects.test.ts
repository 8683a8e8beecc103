// Is trouble of members, policies and Works found, named and given a way out?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { memberFindings, policyFindings, workFindings } from "./objects.js";

const NOW = Date.parse("2026-01-01T12:00:00Z");

function object(name: string, condition?: [type: string, status: string, reason: string], deleted?: string) {
  const [type, status, reason] = condition ?? [];
  const conditions = condition ? [{ type, status, reason, message: `because of ${reason}` }] : [];
  const metadata = { name, namespace: "shop", deletionTimestamp: deleted };
  return { apiVersion: "v1", kind: "X", metadata, status: { conditions } } as unknown as KubeObject & Cluster;
}

describe("memberFindings", () => {
  it.each`
    case                | status       | outcome
    ${"a ready member"} | ${"True"}    | ${"ok"}
    ${"a lost member"}  | ${"False"}   | ${"failed"}
    ${"an unknown one"} | ${"Unknown"} | ${"failed"}
  `("calls $case $outcome", ({ status, outcome }: { status: string; outcome: string }) => {
    expect(memberFindings([object("m1", ["Ready", status, "Reason"])])).toMatchObject([
      { check: "member m1", outcome },
    ]);
  });

  it("passes the reason on, and says how to renew the credentials", () => {
    const [finding] = memberFindings([object("m1", ["Ready", "False", "CredentialsNotFound"])]);
    expect(finding?.message).toBe("CredentialsNotFound: because of CredentialsNotFound");
    expect(finding?.fix).toContain("holdfast join m1");
  });

  it.each([[[]], [[object("m1")]]])("takes nothing for well that nobody has looked at", clusters => {
    expect(memberFindings(clusters)[0]?.outcome).not.toBe("ok");
  });
});

describe("policyFindings", () => {
  it.each`
    reason                            | outcome
    ${"NoMatch"}                      | ${"warning"}
    ${"UnknownKind"}                  | ${"failed"}
    ${"WaitingForDependentOverrides"} | ${"failed"}
  `("calls a policy with $reason $outcome", ({ reason, outcome }: { reason: string; outcome: string }) => {
    const findings = policyFindings([
      object("web", ["Ready", "False", reason]),
      object("b", ["Ready", "True", "Matched"]),
    ]);
    expect(findings).toMatchObject([{ outcome, message: expect.stringContaining("shop/web") as unknown }]);
  });

  it("counts those that do well", () => {
    expect(policyFindings([object("b", ["Ready", "True", "Matched"])])).toMatchObject([{ outcome: "ok" }]);
  });
});

describe("workFindings", () => {
  const good = object("good", ["Applied", "True", "AppliedSuccessful"]);

  it("names a few of many that are not applied", () => {
    const failing = [1, 2, 3, 4, 5].map(n => object(`w${n}`, ["Applied", "False", "Conflict"]));
    const [finding] = workFindings([good, ...failing], NOW);
    expect(finding?.message).toBe(
      "5 of 6 are not applied: shop/w1 (Conflict), shop/w2 (Conflict), shop/w3 (Conflict) and 2 more",
    );
  });

  it.each`
    since                     | outcome
    ${"2026-01-01T11:29:00Z"} | ${"failed"}
    ${"2026-01-01T11:31:00Z"} | ${"ok"}
  `("calls one that has been going since $since $outcome", ({ since, outcome }: { since: string; outcome: string }) => {
    expect(workFindings([good, object("w", undefined, since)], NOW)).toMatchObject([{ outcome }]);
  });
});
