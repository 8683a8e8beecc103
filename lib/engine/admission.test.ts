// Does a webhook's answer say everything in words, whatever the validator does?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext, Verdict } from "../domain/admission.js";
import { answer, answerDeletion, fillIn, type DecidableReview } from "./admission.js";

const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } };
const old: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "old" } };
const ERROR = { path: "spec.a", kind: "Required", detail: "write it" } as const;

function review(OldResource?: unknown): DecidableReview<object> {
  return {
    Raw: object,
    OldResource,
    Approve: warnings => ({ allowed: true, warnings }),
    Deny: (message, code, warnings) => ({ allowed: false, message, code, warnings }),
  };
}

const say = (verdict: Verdict) => answer(review(), () => verdict, {});

describe("answer", () => {
  it("allows what nothing is wrong with, with its warnings", async () => {
    expect(await say({ errors: [], warnings: [] })).toEqual({ allowed: true, warnings: [] });
    expect(await say({ errors: [], warnings: ["odd"] })).toEqual({ allowed: true, warnings: ["odd"] });
  });

  it("refuses with every error at once, and the warnings beside them", async () => {
    const errors = [ERROR, { ...ERROR, path: "spec.b" }];
    expect(await say({ errors, warnings: ["odd"] })).toMatchObject({ allowed: false, code: 422, warnings: ["odd"] });
    const { message } = (await say({ errors, warnings: [] })) as { message: string };
    expect(message).toContain("spec.a: Required");
    expect(message).toContain("spec.b: Required");
  });

  it("gives the validator the object, the one before, and the facts", async () => {
    const context: AdmissionContext = { knownClusters: new Set(["m1"]) };
    let seen: unknown;
    await answer(
      review(old),
      (given, facts) => {
        seen = [given, facts];
        return { errors: [], warnings: [] };
      },
      context,
    );
    expect(seen).toEqual([object, { ...context, old }]);
  });

  it.each([new Error("boom"), "boom"])("refuses in words when the validator throws %s", async thrown => {
    const verdict = await answer(
      review(),
      () => {
        throw thrown;
      },
      {},
    );
    expect(verdict).toMatchObject({ allowed: false, code: 500 });
    expect((verdict as { message: string }).message).toMatch(/boom; this is a defect, please report it/);
  });
});

describe("fillIn", () => {
  it.each`
    given                  | changes                         | merged
    ${"nothing missing"}   | ${undefined}                    | ${[]}
    ${"something missing"} | ${{ metadata: { labels: {} } }} | ${[{ metadata: { labels: {} } }]}
  `("merges once, or not at all: $given", ({ changes, merged }) => {
    const calls: unknown[] = [];
    const mutable = { Raw: object, OldResource: old, Merge: (change: never) => void calls.push(change) };
    let seen: unknown;
    fillIn(mutable, (...given) => {
      seen = given;
      return changes as never;
    });
    expect(calls).toEqual(merged);
    expect(seen).toEqual([object, old]);
  });
});

describe("answerDeletion", () => {
  const deletion = (options?: unknown) => ({ ...review(), Request: { options } });

  it("allows with warnings, and refuses in the words of a field error", async () => {
    const warned = await answerDeletion(deletion(), () => ({ errors: [], warnings: ["kept"] }));
    expect(warned).toEqual({ allowed: true, warnings: ["kept"] });
    const refused = await answerDeletion(deletion(), async () => ({ errors: [ERROR], warnings: ["odd"] }));
    expect(refused).toMatchObject({ allowed: false, code: 422, warnings: ["odd"] });
    expect((refused as { message: string }).message).toContain("spec.a: Required value: write it");
  });

  it.each([
    [{ propagationPolicy: "Orphan" }, true],
    [{ orphanDependents: true }, true],
    [{ propagationPolicy: "Background" }, false],
    [{}, false],
    [undefined, false],
  ])("knows by %j whether dependents are orphaned", async (options, orphan) => {
    const seen: unknown[] = [];
    await answerDeletion(deletion(options), (given, how) => {
      seen.push(given, how);
      return { errors: [], warnings: [] };
    });
    expect(seen).toEqual([object, { orphan }]);
  });

  it.each([
    ["at once", (): never => fail()],
    ["later", async () => fail()],
  ])("lets pass what it cannot judge because a judge throws %s", async (_when, judge) => {
    expect(await answerDeletion(deletion(), judge)).toEqual({
      allowed: true,
      warnings: ["cannot tell what becomes of the copies: boom"],
    });
  });
});

function fail(): never {
  throw new Error("boom");
}
