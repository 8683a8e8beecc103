// Is a template left alone where a rollback would do harm, and only there?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { DELETION_PROTECTED_LABEL } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { configMap } from "../view/samples.js";
import type { Foreseen } from "./foresee.js";
import type { PlannedRollback } from "./plan.js";
import { refusalOf } from "./refuse.js";

const bare = configMap("web", "t1");
const guarded: KubeObject = {
  ...bare,
  metadata: { ...bare.metadata, labels: { [DELETION_PROTECTED_LABEL]: "Always" } },
};
const bound = { metadata: { name: "web-configmap" }, spec: {} } as unknown as AnyBinding;
const copy = (changes: Partial<Foreseen> = {}): Foreseen => ({
  cluster: "m1",
  reference: bare,
  fate: "keep",
  changedByOthers: [],
  rollsOut: false,
  ...changes,
});
const silent = copy({ fate: "unknown", remark: "no answer" });

interface Given {
  /** `null`: it is gone. */
  readonly template?: KubeObject | null;
  readonly binding?: AnyBinding | null;
  readonly state?: PlannedRollback["state"];
  readonly copies?: readonly Foreseen[];
  readonly restore?: boolean;
  readonly clusters?: readonly string[];
}

function refused({ template = bare, binding = bound, state = "live", copies = [copy()], ...options }: Given) {
  const name = { resource: { ...CONFIG_MAPS, verbs: [], subresources: [] }, namespace: "shop", name: "web" };
  const there = { template: template ?? undefined, binding: binding ?? undefined };
  return refusalOf({ standing: { name, reference: bare, works: [], ...there }, state, copies }, options);
}

describe("refusalOf", () => {
  it.each`
    what                                     | given                                                                  | why                      | isForceable
    ${"what is nowhere"}                     | ${{ template: null, state: "gone", copies: [silent] }}                 | ${"neither the host"}    | ${false}
    ${"a template that is protected"}        | ${{ template: guarded }}                                               | ${"it is protected"}     | ${false}
    ${"a template that nobody has placed"}   | ${{ binding: null }}                                                   | ${"no binding"}          | ${false}
    ${"a template that is the copy itself"}  | ${{ copies: [copy({ sighting: { live: bare } })] }}                    | ${"the host itself"}     | ${false}
    ${"to restore where nobody can look"}    | ${{ restore: true, copies: [silent] }}                                 | ${"cannot be looked at"} | ${true}
    ${"to restore what is not on record"}    | ${{ restore: true, copies: [copy({ irrevocable: "not on record" })] }} | ${"not on record"}       | ${true}
    ${"to restore what others have changed"} | ${{ restore: true, copies: [copy({ changedByOthers: ["/data/c"] })] }} | ${"/data/c"}             | ${true}
  `("refuses $what", ({ given, why, isForceable }: { given: Given; why: string; isForceable: boolean }) => {
    expect(refused(given)).toMatchObject({ why: expect.stringContaining(why) as string, isForceable });
  });

  it.each`
    what                                            | given
    ${"a template that is placed"}                  | ${{}}
    ${"to keep where nobody can look"}              | ${{ copies: [silent] }}
    ${"to keep what others have changed"}           | ${{ copies: [copy({ changedByOthers: ["/data/c"] })] }}
    ${"a protected one that only leaves a cluster"} | ${{ template: guarded, clusters: ["m1"] }}
    ${"one that is being deleted"}                  | ${{ template: guarded, state: "leaving" }}
    ${"one that has gone, and is in a member"}      | ${{ template: null, state: "gone" }}
    ${"one that is in none of these clusters"}      | ${{ state: "gone", copies: [] }}
  `("lets go of $what", ({ given }: { given: Given }) => {
    expect(refused(given)).toBeUndefined();
  });
});
