// Is what went wrong told of the right one?
import { describe, expect, it } from "vitest";
import { ALREADY_EXISTS } from "../../lib/domain/presence.js";
import { KubeError, NotLeaderError } from "../../lib/kube/errors.js";
import { RefusedError } from "./adopt.js";
import { NotServedError, OvertakenError } from "./objects.js";
import { isNamespaceLeaving, reasonOf, troubleOf } from "./trouble.js";

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

describe("reasonOf", () => {
  const MINUTES = 60_000;
  const answer = (status: number, message = "no") => new KubeError(status, "", message);
  const wrapped = (status: number) => new Error("it is not taken over", { cause: answer(status) });
  const leaving = answer(403, "is forbidden because it is being terminated");

  it.each`
    given                                    | error                                                   | failingMs      | reason
    ${"a manifest that is invalid"}          | ${answer(422)}                                          | ${0}           | ${"AppliedFailed"}
    ${"a request that makes no sense"}       | ${answer(400)}                                          | ${0}           | ${"AppliedFailed"}
    ${"a webhook or a right that says no"}   | ${answer(403)}                                          | ${0}           | ${"AppliedFailed"}
    ${"a field that the member cannot take"} | ${answer(500, ".spec.x: field not declared in schema")} | ${0}           | ${"AppliedFailed"}
    ${"a kind that the member lacks"}        | ${new NotServedError("m1 does not serve it")}           | ${0}           | ${"AppliedFailed"}
    ${"a refusal of the host's"}             | ${wrapped(403)}                                         | ${0}           | ${"AppliedFailed"}
    ${"an object that is not ours"}          | ${new RefusedError(ALREADY_EXISTS, "it exists")}        | ${0}           | ${ALREADY_EXISTS}
    ${"a member that asks for patience"}     | ${answer(429)}                                          | ${0}           | ${"ApplyRetried"}
    ${"a lost race"}                         | ${answer(409)}                                          | ${0}           | ${"ApplyRetried"}
    ${"a request that took too long"}        | ${answer(408)}                                          | ${0}           | ${"ApplyRetried"}
    ${"credentials that have run out"}       | ${answer(401)}                                          | ${0}           | ${"ApplyRetried"}
    ${"a webhook that does not answer"}      | ${answer(500, "failed calling webhook: EOF")}           | ${0}           | ${"ApplyRetried"}
    ${"a member that starts"}                | ${answer(503)}                                          | ${4 * MINUTES} | ${"ApplyRetried"}
    ${"a namespace on its way out"}          | ${leaving}                                              | ${0}           | ${"ApplyRetried"}
    ${"an object that never stands still"}   | ${new OvertakenError(answer(422))}                      | ${0}           | ${"ApplyRetried"}
    ${"an object that comes and goes"}       | ${new Error("it came and went; it is tried again")}     | ${0}           | ${"ApplyRetried"}
    ${"a webhook that is away for long"}     | ${answer(500, "failed calling webhook: EOF")}           | ${5 * MINUTES} | ${"AppliedFailed"}
  `("is $reason for $given", ({ error, failingMs, reason }) => {
    expect(reasonOf(error, failingMs as number)).toBe(reason);
  });
});
