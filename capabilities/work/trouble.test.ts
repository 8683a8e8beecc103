// Is what went wrong told of the right one?
import { describe, expect, it } from "vitest";
import { KubeError, NotLeaderError } from "../../lib/kube/errors.js";
import { isNamespaceLeaving, troubleOf } from "./trouble.js";

describe("troubleOf", () => {
  it.each`
    given                                  | error                                   | trouble
    ${"an object that the member refuses"} | ${new KubeError(422, "Invalid", "no")}  | ${"object"}
    ${"a conflict"}                        | ${new KubeError(409, "Conflict", "no")} | ${"object"}
    ${"a kind that the member lacks"}      | ${new Error("does not serve")}          | ${"object"}
    ${"no answer"}                         | ${new KubeError(0, "", "refused")}      | ${"cluster"}
    ${"a Lease that was renewed too late"} | ${new NotLeaderError("does not hold")}  | ${"process"}
  `("blames the $trouble for $given", ({ error, trouble }) => {
    expect(troubleOf(error)).toBe(trouble);
  });
});

describe("isNamespaceLeaving", () => {
  const leaving =
    'deployments.apps "web" is forbidden: unable to create new content in namespace shop because it is being terminated';

  it.each`
    given                             | error                                                                                     | answer
    ${"a namespace that goes"}        | ${new KubeError(403, "Forbidden", leaving)}                                               | ${true}
    ${"the same behind another word"} | ${new Error("cannot apply", { cause: new KubeError(403, "Forbidden", leaving) })}         | ${true}
    ${"a lack of rights"}             | ${new KubeError(403, "Forbidden", 'deployments.apps is forbidden: User "x" cannot list')} | ${false}
  `("is $answer for $given", ({ error, answer }) => {
    expect(isNamespaceLeaving(error)).toBe(answer);
  });
});
