// Does a policy about deletion stay as long as its word is needed, and does it say what it does?
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule, ClusterWord } from "../../lib/domain/cascade.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { planReport, whyStay, type Seen, type View } from "./plan.js";

const SELF = "CascadeDeletionPolicy shop/keep";
const OTHER = "ClusterCascadeDeletionPolicy wide";
const DELETED = "2026-01-01T00:00:00Z";
const SOON = Date.parse(DELETED) + 1_000;
const LATE = Date.parse(DELETED) + 60_000;

const policy = (deleted = false, name?: string): CascadeRule => ({
  kind: "CascadeDeletionPolicy",
  metadata: { name: "keep", namespace: "shop", ...(deleted ? { deletionTimestamp: DELETED } : {}) },
  spec: { cascadeDeletion: "orphan", resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name }] },
});

const word = (decidedBy: string, extra: Partial<ClusterWord> = {}): ClusterWord => ({
  name: "m1",
  cascadeDeletion: "orphan",
  reason: "CascadeDeletionPolicy",
  decidedBy,
  ...extra,
});
const fromPolicy = word("", { cascadeDeletion: "background", reason: "Default" });
const annotated = word("annotation x: background", { cascadeDeletion: "background", reason: "TemplateAnnotation" });

const template = (metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", ...metadata },
});
const leaving = template({ deletionTimestamp: DELETED, finalizers: [LET_GO_FINALIZER] });

function binding(clusterDeletion?: readonly ClusterDeletion[]): AnyBinding {
  const resource = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
  return {
    metadata: { name: "web-deployment", namespace: "shop" },
    spec: { resource, clusters: [{ name: "m1" }], clusterDeletion },
  } as unknown as AnyBinding;
}

const seen = (extra: Partial<Seen> = {}): Seen => ({
  binding: binding([word(SELF)]),
  template: template(),
  selected: true,
  words: [word(SELF)],
  ...extra,
});

const view = (extra: Partial<View> = {}): View => ({
  policy: policy(),
  seen: [],
  idle: [],
  unknownKinds: [],
  waitsFor: undefined,
  ...extra,
});

describe("whyStay", () => {
  it.each`
    given                                                  | seen                                                                             | idle                                          | says
    ${"nothing that it is about"}                          | ${[]}                                                                            | ${[]}                                         | ${undefined}
    ${"its word on record"}                                | ${[seen()]}                                                                      | ${[]}                                         | ${undefined}
    ${"its word not on record"}                            | ${[seen({ binding: binding() })]}                                                | ${[]}                                         | ${"its last word is not on record yet for Deployment shop/web"}
    ${"its word on record as it was before an edit"}       | ${[seen({ binding: binding([word(SELF, { cascadeDeletion: "background" })]) })]} | ${[]}                                         | ${"its last word is not on record yet for Deployment shop/web"}
    ${"the word of another policy not on record"}          | ${[seen({ words: [word(OTHER)] })]}                                              | ${[]}                                         | ${"its last word is not on record yet for Deployment shop/web"}
    ${"an annotation that is not on record"}               | ${[seen({ binding: binding(), words: [annotated] })]}                            | ${[]}                                         | ${undefined}
    ${"a copy that it does not decide about"}              | ${[seen({ binding: binding(), words: [fromPolicy] })]}                           | ${[]}                                         | ${undefined}
    ${"a binding that it does not select"}                 | ${[seen({ binding: binding(), selected: false })]}                               | ${[]}                                         | ${undefined}
    ${"a binding whose template is not seen"}              | ${[seen({ template: undefined, selected: false, words: [] })]}                   | ${[]}                                         | ${"its last word is not on record yet for Deployment shop/web"}
    ${"a template that waits to be decided about"}         | ${[seen({ template: leaving })]}                                                 | ${[]}                                         | ${"is needed to decide about Deployment shop/web"}
    ${"such a template without a binding"}                 | ${[]}                                                                            | ${[{ template: leaving, awaited: false }]}    | ${"is needed to decide about Deployment shop/web"}
    ${"a template that leaves and has been decided about"} | ${[seen({ template: template({ deletionTimestamp: DELETED }) })]}                | ${[]}                                         | ${undefined}
    ${"a template whose binding is on its way"}            | ${[]}                                                                            | ${[{ template: template(), awaited: true }]}  | ${"waits for the binding of Deployment shop/web"}
    ${"a template that nothing propagates"}                | ${[]}                                                                            | ${[{ template: template(), awaited: false }]} | ${undefined}
  `("answers $says for $given", ({ seen: bindings, idle, says }) => {
    expect(whyStay(view({ policy: policy(true), seen: bindings, idle }), SOON)).toBe(says);
  });

  it("waits for a binding that may never come only for a while", () => {
    const awaited = view({ policy: policy(true), idle: [{ template: template(), awaited: true }] });
    expect(whyStay(awaited, LATE)).toBeUndefined();
  });

  it("asks nothing of a template that is not seen and has another name", () => {
    const unseen = seen({ template: undefined, selected: false, words: [] });
    expect(whyStay(view({ policy: policy(true, "api"), seen: [unseen] }), SOON)).toBeUndefined();
  });

  it("names three and counts the others", () => {
    const many = Array.from({ length: 5 }, () => seen({ binding: binding() }));
    expect(whyStay(view({ policy: policy(true), seen: many }), SOON)).toMatch(/web, .*web, .*web and 2 more$/);
  });
});

describe("whyStay of a policy whose words before an edit are not on record", () => {
  const edited = { ...policy(true), metadata: { ...policy(true).metadata, generation: 3 } };
  const made = { ...policy(true), metadata: { ...policy(true).metadata, generation: 2 } };
  const WAITS = "what it said before its last edit is not on record yet: waits for Deployment shop/web";
  it.each`
    given                              | rule      | at          | says
    ${"one that was edited"}           | ${edited} | ${SOON}     | ${WAITS}
    ${"one that was edited, a minute"} | ${edited} | ${LATE - 1} | ${WAITS}
    ${"one that was edited, longer"}   | ${edited} | ${LATE}     | ${undefined}
    ${"one that was never edited"}     | ${made}   | ${SOON}     | ${undefined}
  `("stays for $says: $given", ({ rule, at, says }) => {
    const waiting = view({ policy: rule as CascadeRule, waitsFor: "Deployment shop/web" });
    expect(whyStay(waiting, at as number)).toBe(says);
  });
});

describe("planReport", () => {
  it.each`
    given                              | given_view                                                              | matched | status     | reason           | says
    ${"what it decides about"}         | ${view({ seen: [seen(), seen({ words: [fromPolicy, word(SELF)] })] })}  | ${2}    | ${"True"}  | ${"Matched"}     | ${"decides about 2 propagated objects"}
    ${"what it decided about"}         | ${view({ seen: [seen({ selected: false })] })}                          | ${1}    | ${"True"}  | ${"Matched"}     | ${"decides about 1 propagated object"}
    ${"nothing there"}                 | ${view()}                                                               | ${0}    | ${"False"} | ${"NoMatch"}     | ${"nothing that is propagated fits any resourceSelector; check apiVersion"}
    ${"an annotation above it"}        | ${view({ seen: [seen({ words: [annotated] })] })}                       | ${0}    | ${"False"} | ${"NoMatch"}     | ${"Deployment shop/web is selected, but annotation x: background decides in m1"}
    ${"another policy above it"}       | ${view({ seen: [seen({ words: [word(OTHER)] })] })}                     | ${0}    | ${"False"} | ${"NoMatch"}     | ${`Deployment shop/web is selected, but ${OTHER} decides in m1`}
    ${"none of the clusters"}          | ${view({ seen: [seen({ words: [fromPolicy] })] })}                      | ${0}    | ${"False"} | ${"NoMatch"}     | ${"targetCluster selects none of its clusters: m1"}
    ${"a template in no cluster"}      | ${view({ seen: [seen({ words: [] })] })}                                | ${0}    | ${"False"} | ${"NoMatch"}     | ${"it is in no cluster"}
    ${"what nobody propagates"}        | ${view({ idle: [{ template: template(), awaited: false }] })}           | ${0}    | ${"False"} | ${"NoMatch"}     | ${"Deployment shop/web is selected, but no propagation policy sends it to a cluster"}
    ${"a kind that is not served"}     | ${view({ seen: [seen()], unknownKinds: ["x.io/v1 Widget"] })}           | ${1}    | ${"False"} | ${"UnknownKind"} | ${"this cluster does not serve x.io/v1 Widget; check apiVersion and kind"}
    ${"its own end, not yet possible"} | ${view({ policy: policy(true), seen: [seen({ binding: binding() })] })} | ${1}    | ${"False"} | ${"Terminating"} | ${"being deleted: its last word is not on record yet for Deployment shop/web"}
    ${"its own end"}                   | ${view({ policy: policy(true) })}                                       | ${0}    | ${"False"} | ${"Terminating"} | ${"being deleted: its last word is on record"}
  `("tells $reason of $given", ({ given_view, matched, status, reason, says }) => {
    const report = planReport(given_view, SOON);
    expect(report.matched).toBe(matched);
    expect(report.ready).toMatchObject({ status, reason });
    expect(report.ready.message).toContain(says);
  });

  it.each`
    given                        | words                                                                           | status     | says
    ${"no quarrel"}              | ${[word(SELF)]}                                                                 | ${"False"} | ${"no other policy of its rank says otherwise"}
    ${"a quarrel that it wins"}  | ${[word(SELF, { disagreeing: [OTHER] })]}                                       | ${"True"}  | ${`Deployment shop/web in m1: ${OTHER} says otherwise; orphan of this policy holds, since it keeps more`}
    ${"a quarrel that it loses"} | ${[word(OTHER, { disagreeing: [SELF] })]}                                       | ${"True"}  | ${`Deployment shop/web in m1: ${OTHER} says orphan and holds, since that keeps more`}
    ${"two quarrels"}            | ${[word(SELF, { disagreeing: [OTHER] }), word(OTHER, { disagreeing: [SELF] })]} | ${"True"}  | ${"; and 1 more"}
    ${"a quarrel of others"}     | ${[word(OTHER, { disagreeing: ["CascadeDeletionPolicy shop/x"] })]}             | ${"False"} | ${"no other policy"}
  `("tells in Conflict of $given", ({ words, status, says }) => {
    const { conflict } = planReport(view({ seen: [seen({ words })] }), SOON);
    expect(conflict.status).toBe(status);
    expect(conflict.message).toContain(says);
  });
});
