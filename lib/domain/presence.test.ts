// Is a failed update of our own told apart from an object that is not ours?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "./marks.js";
import { ALREADY_EXISTS, presenceIn, presenceOf } from "./presence.js";

const identifier = { ordinal: 0, version: "v1", kind: "ConfigMap", resource: "", name: "web" };

function work(
  status: "True" | "False",
  reason: string,
  uid?: string,
  annotations = {},
): Pick<Work, "metadata" | "status"> {
  const conditions = [{ type: "Applied", status, reason, message: "", lastTransitionTime: "t" }];
  const metadata = { name: "w", namespace: "karmada-es-m1", annotations };
  return { metadata, status: { conditions, manifestStatuses: [{ identifier, uid }] } };
}

describe("presenceOf", () => {
  it.each`
    given                                           | of                                                                                             | presence
    ${"what is applied"}                            | ${work("True", "AppliedSuccessful")}                                                           | ${"Ours"}
    ${"an update of our own that fails"}            | ${work("False", "AppliedFailed", "u1")}                                                        | ${"Ours"}
    ${"ours in a cluster that does not answer"}     | ${work("False", "ClusterNotReady", "u")}                                                       | ${"Ours"}
    ${"what was there before"}                      | ${work("False", ALREADY_EXISTS)}                                                               | ${"Foreign"}
    ${"what may be taken over by now"}              | ${work("False", ALREADY_EXISTS, undefined, { [CONFLICT_RESOLUTION_ANNOTATION]: "overwrite" })} | ${"Unknown"}
    ${"what was made there after ours was deleted"} | ${work("False", ALREADY_EXISTS, "u1")}                                                         | ${"Foreign"}
    ${"a create that fails"}                        | ${work("False", "AppliedFailed")}                                                              | ${"Unknown"}
    ${"a Work that has said nothing"}               | ${{ metadata: {} }}                                                                            | ${"Unknown"}
    ${"no Work"}                                    | ${undefined}                                                                                   | ${"Unknown"}
  `("calls $given $presence", ({ of, presence }) => {
    expect(presenceOf(of as Work | undefined)).toBe(presence);
  });
});

describe("presenceIn", () => {
  const foreign = { clusterName: "m1", applied: false, presence: "Foreign" } as const;
  it("calls nothing foreign that the binding may have taken over since", () => {
    expect(presenceIn(foreign, { conflictResolution: "Abort" })).toBe("Foreign");
    expect(presenceIn(foreign, { conflictResolution: "Overwrite" })).toBe("Unknown");
    expect(presenceIn({ ...foreign, applied: true }, { conflictResolution: "Abort" })).toBe("Ours");
  });
});
