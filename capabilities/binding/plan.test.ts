// Is what runs kept whenever anything about its deletion is uncertain, and deleted when all say so?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { LET_GO_FINALIZER, ORDER_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import {
  decide,
  holdsForUs,
  isDecided,
  isOrdered,
  mayBeWrittenSinceDeletion,
  recordedCascade,
  wasOrphaned,
  withOrder,
  worksToOrder,
  type Certainty,
  type Decision,
  type DecisionInput,
} from "./plan.js";

const says = (cascadeDeletion: Cascade): ClusterDeletion => ({
  ...{ name: "m1", cascadeDeletion, reason: "PolicyField", decidedBy: "policy" },
});
const [keep, drop, adopted] = [says("orphan"), says("background"), says("adopted")];

const cascades = fc.constantFrom<Cascade>("orphan", "background", "adopted");
const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  orphaned: fc.boolean(),
  word: fc.option(cascades.map(says), { nil: undefined }),
  recorded: fc.option(cascades, { nil: undefined }),
  certainty: fc.constantFrom<Certainty>("exact", "late", "edited"),
});

describe("decide", () => {
  it.each`
    given                                                  | orphaned | word         | certainty   | recorded        | order        | source
    ${"--cascade=orphan against a rule that deletes"}      | ${true}  | ${drop}      | ${"exact"}  | ${"background"} | ${"keep"}    | ${"--cascade=orphan"}
    ${"a rule that keeps"}                                 | ${false} | ${keep}      | ${"exact"}  | ${"orphan"}     | ${"keep"}    | ${"policy"}
    ${"a rule that deletes"}                               | ${false} | ${drop}      | ${"exact"}  | ${"background"} | ${"delete"}  | ${"policy"}
    ${"a rule that looks back"}                            | ${false} | ${adopted}   | ${"exact"}  | ${"background"} | ${"adopted"} | ${"policy"}
    ${"a switch to keep that the binding has not heard"}   | ${false} | ${keep}      | ${"exact"}  | ${"background"} | ${"keep"}    | ${"policy"}
    ${"a switch to delete that the binding has not heard"} | ${false} | ${drop}      | ${"exact"}  | ${"orphan"}     | ${"delete"}  | ${"policy"}
    ${"a rule that deletes, and no binding yet"}           | ${false} | ${drop}      | ${"exact"}  | ${undefined}    | ${"delete"}  | ${"policy"}
    ${"a late reading that agrees to delete"}              | ${false} | ${drop}      | ${"late"}   | ${"background"} | ${"delete"}  | ${"policy, read late"}
    ${"a late reading that agrees to keep"}                | ${false} | ${keep}      | ${"late"}   | ${"orphan"}     | ${"keep"}    | ${"policy, read late"}
    ${"a late reading that deletes what was kept"}         | ${false} | ${drop}      | ${"late"}   | ${"orphan"}     | ${"keep"}    | ${/differ/}
    ${"a late reading that deletes what looked back"}      | ${false} | ${drop}      | ${"late"}   | ${"adopted"}    | ${"keep"}    | ${/differ/}
    ${"a late reading that keeps what was deleted"}        | ${false} | ${keep}      | ${"late"}   | ${"background"} | ${"keep"}    | ${/differ/}
    ${"a late reading with nothing on record"}             | ${false} | ${drop}      | ${"late"}   | ${undefined}    | ${"delete"}  | ${"policy, read late"}
    ${"a rule edited since, although all agree to delete"} | ${false} | ${drop}      | ${"edited"} | ${"background"} | ${"keep"}    | ${/edited since/}
    ${"no word at all"}                                    | ${false} | ${undefined} | ${"exact"}  | ${undefined}    | ${"keep"}    | ${/nothing says/}
  `("says $order for $given", ({ orphaned, word, certainty, recorded, order, source }) => {
    const decision = decide({ orphaned, word, certainty, recorded } as DecisionInput);
    expect(decision.order).toBe(order);
    if (source instanceof RegExp) expect(decision.source).toMatch(source);
    else expect(decision.source).toBe(source);
  });

  it("never deletes without a word that says so", () => {
    fc.assert(
      fc.property(inputs, input => {
        fc.pre(decide(input).order === "delete");
        expect(input.word?.cascadeDeletion).toBe("background");
        expect(input.orphaned).toBe(false);
      }),
    );
  });

  it("keeps whenever the moment of deletion is past reading and the words differ", () => {
    fc.assert(
      fc.property(inputs, input => {
        const { word, recorded, certainty } = input;
        fc.pre(certainty !== "exact" && recorded !== undefined && recorded !== word?.cascadeDeletion);
        expect(decide(input).order).toBe("keep");
      }),
    );
  });
});

const binding = (spec: object = {}, metadata: object = {}): AnyBinding =>
  ({
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "web-deployment", namespace: "shop", ownerReferences: [owner("u1")], ...metadata },
    spec: {
      resource: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "u1" },
      ...spec,
    },
  }) as AnyBinding;
const owner = (uid: string) => ({ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid });

const work = (preserve?: boolean, annotations?: Record<string, string>, cluster = "m1"): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "web", namespace: `karmada-es-${cluster}`, annotations },
  spec: { workload: { manifests: [] }, preserveResourcesOnDeletion: preserve },
});

const template = (metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: "u1", ...metadata },
});

const entry = { name: "m1", cascadeDeletion: "orphan", reason: "CascadeDeletionPolicy", decidedBy: "rule" };

describe("recordedCascade", () => {
  it.each`
    given                                             | on                                                                           | works                                            | answer
    ${"nothing"}                                      | ${undefined}                                                                 | ${[]}                                            | ${undefined}
    ${"a binding that says nothing"}                  | ${binding()}                                                                 | ${[]}                                            | ${"background"}
    ${"a binding against its Works"}                  | ${binding({ preserveResourcesOnDeletion: false })}                           | ${[work(true)]}                                  | ${"background"}
    ${"a binding that keeps"}                         | ${binding({ preserveResourcesOnDeletion: true })}                            | ${[work(false)]}                                 | ${"orphan"}
    ${"a binding with an entry for the cluster"}      | ${binding({ preserveResourcesOnDeletion: false, clusterDeletion: [entry] })} | ${[]}                                            | ${"orphan"}
    ${"Works alone that say nothing"}                 | ${undefined}                                                                 | ${[work(), work()]}                              | ${"background"}
    ${"Works elsewhere, of which one keeps"}          | ${undefined}                                                                 | ${[work(false, {}, "m2"), work(true, {}, "m3")]} | ${"orphan"}
    ${"a Work that deletes here, and one that keeps"} | ${undefined}                                                                 | ${[work(false), work(true, {}, "m2")]}           | ${"background"}
  `("is $answer for $given", ({ on, works, answer }) => {
    expect(recordedCascade(on as AnyBinding | undefined, works as Work[], "m1")).toBe(answer);
  });
});

interface Going {
  readonly of?: string;
  readonly leaving?: boolean;
  readonly ordered?: string;
}

function going({ of = "u1", leaving = true, ordered }: Going): Work {
  const made = work(true, { [TEMPLATE_UID_ANNOTATION]: of, ...(ordered ? { [ORDER_ANNOTATION]: ordered } : {}) });
  const deletionTimestamp = leaving ? "2026-01-01T00:00:00Z" : undefined;
  return { ...made, metadata: { ...made.metadata, deletionTimestamp } };
}

describe("isDecided", () => {
  it.each`
    given                                                       | of                                     | answer
    ${"a Work that waits with its order"}                       | ${{ ordered: "keep" }}                 | ${true}
    ${"a Work of an object that bore the name before"}          | ${{ of: "u0" }}                        | ${true}
    ${"a Work that somebody deleted by hand"}                   | ${{}}                                  | ${false}
    ${"a Work that stays"}                                      | ${{ leaving: false }}                  | ${false}
    ${"a Work that stays and that the name's new one inherits"} | ${{ of: "u0", leaving: false }}        | ${false}
    ${"an order whose deletion was not sent yet"}               | ${{ leaving: false, ordered: "keep" }} | ${false}
  `("is $answer for $given", ({ of, answer }) => {
    expect(isDecided(going(of as Going), "u1")).toBe(answer);
  });
});

describe("worksToOrder", () => {
  it("leaves out what was decided before, unless it is to be kept there after all", () => {
    const before = going({ of: "u0" });
    const mine = going({ leaving: false });
    expect(worksToOrder([before, mine], "u1", [])).toEqual([mine]);
    expect(worksToOrder([before, mine], "u1", ["karmada-es-m2"])).toEqual([mine]);
    expect(worksToOrder([before, mine], "u1", ["karmada-es-m1"])).toEqual([before, mine]);
  });
});

describe("wasOrphaned", () => {
  it.each`
    given                                             | leaving                                             | on                                                | answer
    ${"the collector's finalizer on the template"}    | ${template({ finalizers: ["orphan"] })}             | ${undefined}                                      | ${true}
    ${"a binding that lost its owner"}                | ${template()}                                       | ${binding({}, { ownerReferences: [] })}           | ${true}
    ${"a binding without the field"}                  | ${template()}                                       | ${binding({}, { ownerReferences: undefined })}    | ${true}
    ${"a binding that another owner has as well"}     | ${template()}                                       | ${binding({}, { ownerReferences: [owner("x")] })} | ${true}
    ${"a binding that is owned"}                      | ${template()}                                       | ${binding()}                                      | ${false}
    ${"foregroundDeletion"}                           | ${template({ finalizers: ["foregroundDeletion"] })} | ${binding()}                                      | ${false}
    ${"no binding"}                                   | ${template()}                                       | ${undefined}                                      | ${false}
    ${"the binding of an earlier object of the name"} | ${template({ uid: "u2" })}                          | ${binding({}, { ownerReferences: [] })}           | ${false}
  `("is $answer for $given", ({ leaving, on, answer }) => {
    expect(wasOrphaned(leaving as KubeObject, on as AnyBinding | undefined)).toBe(answer);
  });
});

describe("withOrder", () => {
  const stay = { order: "keep", source: "policy" } as const;
  const go = { order: "delete", source: "policy" } as const;
  const past = { order: "adopted", source: "policy" } as const;
  const SOURCE = `${ORDER_ANNOTATION}-source`;

  it.each`
    given                                               | before                                        | decision | explicit | annotation   | preserve
    ${"a Work that says so already"}                    | ${work(true)}                                 | ${stay}  | ${false} | ${undefined} | ${true}
    ${"a Work that says nothing, which means delete"}   | ${work()}                                     | ${go}    | ${false} | ${undefined} | ${undefined}
    ${"a Work whose copy stays only where it was"}      | ${work(false)}                                | ${past}  | ${false} | ${"adopted"} | ${true}
    ${"a Work that says the opposite"}                  | ${work(false)}                                | ${stay}  | ${false} | ${"keep"}    | ${true}
    ${"a place that is left, although the Work agrees"} | ${work(false)}                                | ${go}    | ${true}  | ${"delete"}  | ${false}
    ${"a written order that is turned round"}           | ${work(true, { [ORDER_ANNOTATION]: "keep" })} | ${go}    | ${true}  | ${"delete"}  | ${false}
  `("orders $given", ({ before, decision, explicit, annotation, preserve }) => {
    const ordered = withOrder(before as Work, decision as Decision, explicit as boolean);
    expect(ordered.metadata.annotations?.[ORDER_ANNOTATION]).toBe(annotation);
    expect(ordered.spec.preserveResourcesOnDeletion).toBe(preserve);
    expect(ordered.metadata.annotations?.[SOURCE]).toBe(annotation && "policy");
  });

  it("changes nothing the second time, so that a replay writes nothing", () => {
    const decisions = fc.record({
      order: fc.constantFrom("keep" as const, "delete" as const, "adopted" as const),
      source: fc.string(),
    });
    const fields = fc.option(fc.boolean(), { nil: undefined });
    fc.assert(
      fc.property(fields, decisions, fc.boolean(), (preserve, decision, explicit) => {
        const once = withOrder(work(preserve), decision, explicit);
        expect(withOrder(once, decision, explicit)).toBe(once);
      }),
    );
  });
});

describe("holdsForUs", () => {
  it.each`
    finalizers                 | answer
    ${undefined}               | ${false}
    ${["team.example/hold"]}   | ${false}
    ${["x", LET_GO_FINALIZER]} | ${true}
  `("is $answer with finalizers $finalizers", ({ finalizers, answer }) => {
    expect(holdsForUs(template({ finalizers }))).toBe(answer);
  });
});

describe("isOrdered", () => {
  it.each`
    annotations                         | answer
    ${undefined}                        | ${false}
    ${{ note: "keep" }}                 | ${false}
    ${{ [ORDER_ANNOTATION]: "keep" }}   | ${true}
    ${{ [ORDER_ANNOTATION]: "delete" }} | ${true}
  `("is $answer with annotations $annotations", ({ annotations, answer }) => {
    expect(isOrdered(work(true, annotations as Record<string, string> | undefined))).toBe(answer);
  });
});

describe("mayBeWrittenSinceDeletion", () => {
  const at = (...times: (string | undefined)[]) => times.map(time => ({ manager: "kubectl", time }));
  const deletionTimestamp = "2026-01-01T00:00:30Z";

  it.each`
    given                                           | metadata                                                                                            | answer
    ${"writes before it"}                           | ${{ deletionTimestamp, managedFields: at("2026-01-01T00:00:00Z", "2026-01-01T00:00:29Z") }}         | ${false}
    ${"a write in the same second"}                 | ${{ deletionTimestamp, managedFields: at("2026-01-01T00:00:30Z") }}                                 | ${true}
    ${"a write after it"}                           | ${{ deletionTimestamp, managedFields: at("2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z") }}         | ${true}
    ${"a write of unknown time"}                    | ${{ deletionTimestamp, managedFields: at(undefined) }}                                              | ${true}
    ${"no record of writes"}                        | ${{ deletionTimestamp }}                                                                            | ${true}
    ${"a grace period that the timestamp includes"} | ${{ deletionTimestamp, deletionGracePeriodSeconds: 30, managedFields: at("2026-01-01T00:00:10Z") }} | ${true}
    ${"a write before the grace period began"}      | ${{ deletionTimestamp, deletionGracePeriodSeconds: 10, managedFields: at("2026-01-01T00:00:10Z") }} | ${false}
  `("is $answer for $given", ({ metadata, answer }) => {
    expect(mayBeWrittenSinceDeletion(template(metadata as object))).toBe(answer);
  });
});
