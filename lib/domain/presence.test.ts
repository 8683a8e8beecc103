// Is a failed update of our own told apart from an object that is not ours?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { ALREADY_EXISTS, presenceOf } from "./presence.js";

const identifier = { ordinal: 0, version: "v1", kind: "ConfigMap", resource: "", name: "web" };

function work(status: string, reason: string, uid?: string): Pick<Work, "status"> {
  const conditions = [{ type: "Applied", status, reason, message: "", lastTransitionTime: "t" }];
  return { status: { conditions, manifestStatuses: [{ identifier, uid }] } } as Pick<Work, "status">;
}

describe("presenceOf", () => {
  it.each`
    given                                           | of                                       | presence
    ${"what is applied"}                            | ${work("True", "AppliedSuccessful")}     | ${"Ours"}
    ${"an update of our own that fails"}            | ${work("False", "AppliedFailed", "u1")}  | ${"Ours"}
    ${"ours in a cluster that does not answer"}     | ${work("False", "ClusterNotReady", "u")} | ${"Ours"}
    ${"what was there before"}                      | ${work("False", ALREADY_EXISTS)}         | ${"Foreign"}
    ${"what was made there after ours was deleted"} | ${work("False", ALREADY_EXISTS, "u1")}   | ${"Foreign"}
    ${"a create that fails"}                        | ${work("False", "AppliedFailed")}        | ${"Unknown"}
    ${"a Work that has said nothing"}               | ${{}}                                    | ${"Unknown"}
    ${"no Work"}                                    | ${undefined}                             | ${"Unknown"}
  `("calls $given $presence", ({ of, presence }) => {
    expect(presenceOf(of as Work | undefined)).toBe(presence);
  });
});
