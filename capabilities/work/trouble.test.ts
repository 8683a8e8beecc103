// Is what went wrong told of the right one?
import { describe, expect, it } from "vitest";
import { KubeError, NotLeaderError } from "../../lib/kube/errors.js";
import { troubleOf } from "./trouble.js";

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
