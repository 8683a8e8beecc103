// Is what runs kept whenever anything about its deletion is uncertain, and deleted when all say so?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
  recordedPreserve,
  wasOrphaned,
  withOrder,
  worksToOrder,
  type DecisionInput,
  type PolicyReading,
} from "./plan.js";

const then = (preserve: boolean): PolicyReading => ({ exact: true, found: true, preserve });
const now = (preserve: boolean): PolicyReading => ({ exact: false, found: true, preserve });
const edited = (preserve: boolean): PolicyReading => ({ exact: false, found: true, preserve, edited: true });
const none = (exact: boolean): PolicyReading => ({ exact, found: false, preserve: false });

const readings = fc.option(fc.record({ exact: fc.boolean(), found: fc.boolean(), preserve: fc.boolean() }), {
  nil: undefined,
});
const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  orphaned: fc.boolean(),
  policy: readings,
  recorded: fc.option(fc.boolean(), { nil: undefined }),
});

describe("decide", () => {
  it.each`
    given                                                     | orphaned | policy           | recorded     | order       | source
    ${"--cascade=orphan against a policy that deletes"}       | ${true}  | ${then(false)}   | ${false}     | ${"keep"}   | ${"--cascade=orphan"}
    ${"a policy that keeps"}                                  | ${false} | ${then(true)}    | ${true}      | ${"keep"}   | ${"policy"}
    ${"a policy that deletes"}                                | ${false} | ${then(false)}   | ${false}     | ${"delete"} | ${"policy"}
    ${"a policy switched to keep that the binding has not"}   | ${false} | ${then(true)}    | ${false}     | ${"keep"}   | ${"policy"}
    ${"a policy switched to delete that the binding has not"} | ${false} | ${then(false)}   | ${true}      | ${"delete"} | ${"policy"}
    ${"a policy that deletes, and no binding yet"}            | ${false} | ${then(false)}   | ${undefined} | ${"delete"} | ${"policy"}
    ${"a late reading that agrees to delete"}                 | ${false} | ${now(false)}    | ${false}     | ${"delete"} | ${"policy, read after the deletion"}
    ${"a late reading that agrees to keep"}                   | ${false} | ${now(true)}     | ${true}      | ${"keep"}   | ${"policy, read after the deletion"}
    ${"a late reading that deletes what was kept"}            | ${false} | ${now(false)}    | ${true}      | ${"keep"}   | ${/differ/}
    ${"a late reading that keeps what was deleted"}           | ${false} | ${now(true)}     | ${false}     | ${"keep"}   | ${/differ/}
    ${"a late reading with nothing on record"}                | ${false} | ${now(false)}    | ${undefined} | ${"delete"} | ${"policy, read after the deletion"}
    ${"a policy edited since, although all agree to delete"}  | ${false} | ${edited(false)} | ${false}     | ${"keep"}   | ${/edited since/}
    ${"no claim, and a binding that keeps"}                   | ${false} | ${undefined}     | ${true}      | ${"keep"}   | ${"binding"}
    ${"no claim, and a binding that deletes"}                 | ${false} | ${undefined}     | ${false}     | ${"delete"} | ${"binding"}
    ${"a policy that is gone, and a binding that deletes"}    | ${false} | ${none(true)}    | ${false}     | ${"delete"} | ${"binding"}
    ${"a policy that is gone, and a binding that keeps"}      | ${false} | ${none(false)}   | ${true}      | ${"keep"}   | ${"binding"}
    ${"nothing at all"}                                       | ${false} | ${undefined}     | ${undefined} | ${"keep"}   | ${/nothing says/}
    ${"a policy that is gone, and nothing on record"}         | ${false} | ${none(true)}    | ${undefined} | ${"keep"}   | ${/nothing says/}
  `("says $order for $given", ({ orphaned, policy, recorded, order, source }) => {
    const decision = decide({ orphaned, policy, recorded } as DecisionInput);
    expect(decision.order).toBe(order);
    if (source instanceof RegExp) expect(decision.source).toMatch(source);
    else expect(decision.source).toBe(source);
  });

  it("never deletes without a word that says so", () => {
    fc.assert(
      fc.property(inputs, input => {
        const { policy, recorded } = input;
        const says = [policy?.found ? policy.preserve : undefined, recorded];
        fc.pre(decide(input).order === "delete");
        expect(says).toContain(false);
        expect(input.orphaned).toBe(false);
      }),
    );
  });

  it("keeps whenever the moment of deletion is past reading and the words differ", () => {
    fc.assert(
      fc.property(inputs, input => {
        const { policy, recorded } = input;
        fc.pre(policy !== undefined && policy.found && !policy.exact);
        fc.pre(recorded !== undefined && recorded !== policy?.preserve);
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

const work = (preserve?: boolean, annotations?: Record<string, string>): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "web", namespace: "karmada-es-m1", annotations },
  spec: { workload: { manifests: [] }, preserveResourcesOnDeletion: preserve },
});

const template = (metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: "u1", ...metadata },
});

describe("recordedPreserve", () => {
  it.each`
    given                                | on                                                 | works                        | answer
    ${"nothing"}                         | ${undefined}                                       | ${[]}                        | ${undefined}
    ${"a binding that says nothing"}     | ${binding()}                                       | ${[]}                        | ${false}
    ${"a binding against its Works"}     | ${binding({ preserveResourcesOnDeletion: false })} | ${[work(true)]}              | ${false}
    ${"a binding that keeps"}            | ${binding({ preserveResourcesOnDeletion: true })}  | ${[work(false)]}             | ${true}
    ${"Works alone that say nothing"}    | ${undefined}                                       | ${[work(), work()]}          | ${false}
    ${"Works alone, of which one keeps"} | ${undefined}                                       | ${[work(false), work(true)]} | ${true}
  `("is $answer for $given", ({ on, works, answer }) => {
    expect(recordedPreserve(on as AnyBinding | undefined, works as Work[])).toBe(answer);
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
  const keep = { order: "keep", source: "policy" } as const;
  const drop = { order: "delete", source: "policy" } as const;
  const SOURCE = `${ORDER_ANNOTATION}-source`;

  it.each`
    given                                               | before                                        | decision | explicit | annotation   | preserve
    ${"a Work that says so already"}                    | ${work(true)}                                 | ${keep}  | ${false} | ${undefined} | ${true}
    ${"a Work that says nothing, which means delete"}   | ${work()}                                     | ${drop}  | ${false} | ${undefined} | ${undefined}
    ${"a Work that says the opposite"}                  | ${work(false)}                                | ${keep}  | ${false} | ${"keep"}    | ${true}
    ${"a place that is left, although the Work agrees"} | ${work(false)}                                | ${drop}  | ${true}  | ${"delete"}  | ${false}
    ${"a written order that is turned round"}           | ${work(true, { [ORDER_ANNOTATION]: "keep" })} | ${drop}  | ${true}  | ${"delete"}  | ${false}
  `("orders $given", ({ before, decision, explicit, annotation, preserve }) => {
    const ordered = withOrder(before as Work, decision as typeof keep, explicit as boolean);
    expect(ordered.metadata.annotations?.[ORDER_ANNOTATION]).toBe(annotation);
    expect(ordered.spec.preserveResourcesOnDeletion).toBe(preserve);
    expect(ordered.metadata.annotations?.[SOURCE]).toBe(annotation && "policy");
  });

  it("changes nothing the second time, so that a replay writes nothing", () => {
    const decisions = fc.record({ order: fc.constantFrom("keep" as const, "delete" as const), source: fc.string() });
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
