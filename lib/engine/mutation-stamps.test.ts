// Does Pepr's note leave an answer, and everything else stay in it?
import { describe, expect, it } from "vitest";
import { dropStamps, type PatchingAnswer } from "./mutation-stamps.js";

const STAMP = "holdfast.pepr.dev/holdfast-hold";
const STAMP_PATH = "/metadata/annotations/holdfast.pepr.dev~1holdfast-hold";
const OTHER_PATH = "/metadata/annotations/other.pepr.dev~1x";
const pause = { op: "add", path: "/spec/paused", value: true };

function answered(...operations: readonly object[]): PatchingAnswer {
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}

function left(answer: PatchingAnswer): unknown {
  dropStamps(answer, "holdfast");
  return answer.patch === undefined ? answer : JSON.parse(Buffer.from(answer.patch, "base64").toString());
}

describe("dropStamps", () => {
  it.each`
    given                                      | operations                                                                                 | operationsLeft
    ${"a note beside other annotations"}       | ${[{ op: "add", path: STAMP_PATH, value: "succeeded" }, pause]}                            | ${[pause]}
    ${"a note that changes"}                   | ${[{ op: "replace", path: STAMP_PATH, value: "warning" }, pause]}                          | ${[pause]}
    ${"the first annotation, which is a note"} | ${[{ op: "add", path: "/metadata/annotations", value: { [STAMP]: "succeeded" } }, pause]}  | ${[pause]}
    ${"first annotations, ours among them"}    | ${[{ op: "add", path: "/metadata/annotations", value: { [STAMP]: "succeeded", a: "b" } }]} | ${[{ op: "add", path: "/metadata/annotations", value: { a: "b" } }]}
    ${"another module's note"}                 | ${[{ op: "add", path: OTHER_PATH, value: "succeeded" }]}                                   | ${[{ op: "add", path: OTHER_PATH, value: "succeeded" }]}
    ${"a note that somebody takes away"}       | ${[{ op: "remove", path: STAMP_PATH }]}                                                    | ${[{ op: "remove", path: STAMP_PATH }]}
    ${"no annotation at all"}                  | ${[pause]}                                                                                 | ${[pause]}
  `("leaves $operationsLeft of $given", ({ operations, operationsLeft }) => {
    expect(left(answered(...(operations as object[])))).toEqual(operationsLeft);
  });

  it("leaves no patch where there was only a note, nor where there was none", () => {
    expect(left(answered({ op: "add", path: STAMP_PATH, value: "succeeded" }))).toEqual({});
    expect(left({})).toEqual({});
  });
});
