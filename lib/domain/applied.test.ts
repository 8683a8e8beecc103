// Is a Work that will be tried again told apart from one that was refused?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { isPending } from "./applied.js";
import { ALREADY_EXISTS } from "./presence.js";

const work = (status: "True" | "False" | "Unknown", reason: string): Pick<Work, "status"> => ({
  status: { conditions: [{ type: "Applied", status, reason, message: "", lastTransitionTime: "t" }] },
});

describe("isPending", () => {
  it.each`
    given                                  | said                                    | answer
    ${"a Work that nobody has made yet"}   | ${undefined}                            | ${true}
    ${"one that has not been tried"}       | ${{}}                                   | ${true}
    ${"one whose attempt is made again"}   | ${work("False", "ApplyRetried")}        | ${true}
    ${"one whose cluster does not answer"} | ${work("False", "ClusterNotReady")}     | ${true}
    ${"one that cannot let go yet"}        | ${work("False", "FinalizerBlocked")}    | ${true}
    ${"one whose object is being deleted"} | ${work("False", "Deleting")}            | ${true}
    ${"one that the member refused"}       | ${work("False", "AppliedFailed")}       | ${false}
    ${"one in whose way something is"}     | ${work("False", ALREADY_EXISTS)}        | ${false}
    ${"a word that we do not know"}        | ${work("Unknown", "SomebodyElsesWord")} | ${false}
    ${"one that is applied"}               | ${work("True", "ApplyRetried")}         | ${false}
  `("is $answer for $given", ({ said, answer }) => {
    expect(isPending(said as Pick<Work, "status"> | undefined)).toBe(answer);
  });
});
