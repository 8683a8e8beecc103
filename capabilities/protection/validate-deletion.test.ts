// Every word that a person gets about a deletion.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import {
  CASCADE_DELETION_ANNOTATION,
  DELETION_PROTECTED_LABEL,
  LET_GO_FINALIZER,
  PP_ID_LABEL,
} from "../../lib/domain/marks.js";
import type { BindingFacts, Propagated } from "../../lib/domain/propagated.js";
import { validateDeletion } from "./validate-deletion.js";
import { validateNamespaceDeletion, type Holding } from "./validate-namespace-deletion.js";

const ALWAYS = { [DELETION_PROTECTED_LABEL]: "Always" };
const AT_ONCE = { orphan: false };
const ORPHAN = { orphan: true };
const NONE: Holding = { found: [], unread: [] };

function web(metadata: object = {}): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", uid: "u", ...metadata },
  };
}

function namespace(metadata: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", uid: "ns", ...metadata } };
}

function policy(kind: string, spec: object = {}): KubeObject {
  const wide = kind.startsWith("Cluster") ? undefined : "shop";
  const metadata = { name: "p", namespace: wide, uid: "p", labels: { [PP_ID_LABEL]: "id" } };
  return { apiVersion: "policy.karmada.io/v1alpha1", kind, metadata, spec };
}

const binding = {
  metadata: { name: "web-deployment", namespace: "shop" },
  spec: {
    resource: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "u" },
    clusters: [{ name: "m1" }, { name: "m2" }],
  },
  status: {
    aggregatedStatus: [
      { clusterName: "m1", applied: true, status: { replicas: 3 } },
      { clusterName: "m2", applied: true },
    ],
  },
} as BindingFacts;

const known: AdmissionContext = {
  propagated: {
    bindingOf: uid => (uid === "u" ? binding : undefined),
    bindingsIn: name => (name === "shop" ? [binding, binding] : []),
    bindingsOf: id => (id === "id" ? [binding, binding, binding] : []),
    bindingsDecidedBy: rule => (rule === "CascadeDeletionPolicy shop/p" ? [binding] : []),
    wordOf: () => undefined,
    rules: () => [],
    clusterOf: () => undefined,
  } satisfies Propagated,
};

describe("validateDeletion warns", () => {
  it.each`
    given                               | object                                                                | how        | says
    ${"of copies that go"}              | ${web()}                                                              | ${AT_ONCE} | ${["Deployment shop/web: will be deleted in m1 (3 pods), m2"]}
    ${"of nothing lost with orphan"}    | ${web()}                                                              | ${ORPHAN}  | ${["Deployment shop/web: kept in m1, m2"]}
    ${"of what an annotation keeps"}    | ${web({ annotations: { [CASCADE_DELETION_ANNOTATION]: "adopted" } })} | ${AT_ONCE} | ${["Deployment shop/web: kept in m1, m2 if it was there before, else deleted"]}
    ${"of a policy that freezes"}       | ${policy("PropagationPolicy")}                                        | ${AT_ONCE} | ${["PropagationPolicy shop/p: copies of 3 templates stay until a policy claims them"]}
    ${"of a rule that stays on record"} | ${policy("CascadeDeletionPolicy", { cascadeDeletion: "orphan" })}     | ${AT_ONCE} | ${["CascadeDeletionPolicy shop/p: changes no decision; orphan stays on record for 1 template"]}
  `("$given", ({ object, how, says }) => {
    expect(validateDeletion(object, how, known)).toEqual({ errors: [], warnings: says });
  });
});

describe("validateDeletion is silent about", () => {
  it.each`
    given                                      | object                                                                      | context
    ${"an object that is no template"}         | ${web({ uid: "another" })}                                                  | ${known}
    ${"a template, before facts are known"}    | ${web({ finalizers: [LET_GO_FINALIZER] })}                                  | ${{}}
    ${"a policy that holds nothing"}           | ${policy("ClusterPropagationPolicy")}                                       | ${known}
    ${"a policy, before facts are known"}      | ${policy("PropagationPolicy")}                                              | ${{}}
    ${"a rule that decides nothing"}           | ${policy("ClusterCascadeDeletionPolicy")}                                   | ${known}
    ${"an override policy"}                    | ${policy("OverridePolicy")}                                                 | ${known}
    ${"what is being deleted already"}         | ${web({ deletionTimestamp: "2026-01-01T00:00:00Z" })}                       | ${known}
    ${"what is protected, but goes already"}   | ${web({ labels: ALWAYS, deletionTimestamp: "2026-01-01T00:00:00Z" })}       | ${known}
    ${"another value of the protection label"} | ${web({ uid: "another", labels: { [DELETION_PROTECTED_LABEL]: "never" } })} | ${known}
  `("$given", ({ object, context }) => {
    expect(validateDeletion(object, AT_ONCE, context)).toEqual({ errors: [], warnings: [] });
  });
});

describe("validateDeletion refuses", () => {
  it.each`
    given                         | object                                                                                            | undo
    ${"a protected template"}     | ${web({ labels: ALWAYS })}                                                                        | ${"Deployment shop/web must not be deleted; if you mean it, take the label off first: kubectl label -n shop deployment web"}
    ${"a protected policy"}       | ${{ ...policy("PropagationPolicy"), metadata: { name: "p", namespace: "shop", labels: ALWAYS } }} | ${"kubectl label -n shop propagationpolicy p"}
    ${"a protected cluster role"} | ${{ ...web({ namespace: undefined, labels: ALWAYS }), kind: "ClusterRole" }}                      | ${"ClusterRole web must not be deleted; if you mean it, take the label off first: kubectl label clusterrole web"}
  `("$given, with the way out", ({ object, undo }) => {
    for (const [how, context] of [
      [AT_ONCE, known],
      [ORPHAN, {}],
    ] as const) {
      const { errors, warnings } = validateDeletion(object, how, context);
      expect(warnings).toEqual([]);
      expect(errors.map(formatFieldError).join()).toContain(`${undo} ${DELETION_PROTECTED_LABEL}-`);
    }
  });
});

describe("validateNamespaceDeletion", () => {
  const holds = "Namespace shop: holds 2 templates, deleted with it";
  const lost = "Namespace shop: copies that will be deleted: 2 in m1, 2 in m2";

  it.each`
    given                               | object                                                      | how        | context  | holding                                                 | says
    ${"what goes with it"}              | ${namespace()}                                              | ${AT_ONCE} | ${known} | ${NONE}                                                 | ${[holds, lost]}
    ${"that orphan is not about that"}  | ${namespace()}                                              | ${ORPHAN}  | ${known} | ${NONE}                                                 | ${[holds, lost, "Namespace shop: --cascade=orphan is about the Namespace alone and not about what it holds"]}
    ${"nothing of an ordinary one"}     | ${namespace({ name: "other" })}                             | ${AT_ONCE} | ${known} | ${NONE}                                                 | ${[]}
    ${"nothing before facts are known"} | ${namespace()}                                              | ${AT_ONCE} | ${{}}    | ${NONE}                                                 | ${[]}
    ${"nothing of one that goes"}       | ${namespace({ deletionTimestamp: "2026-01-01T00:00:00Z" })} | ${AT_ONCE} | ${known} | ${{ found: [{ kind: "Pod", name: "p" }], unread: [] }}  | ${[]}
    ${"what it could not read"}         | ${namespace({ name: "other" })}                             | ${AT_ONCE} | ${known} | ${{ found: [], unread: ["Pod", "Job", "Secret", "X"] }} | ${["Namespace other: may hold protected objects that could not be read: Pod, Job, Secret and 1 more"]}
    ${"its own copies, as a template"}  | ${namespace({ name: "own", uid: "u" })}                     | ${AT_ONCE} | ${known} | ${NONE}                                                 | ${["Namespace own: will be deleted in m1 (3 pods), m2"]}
  `("says $given", ({ object, how, context, holding, says }) => {
    expect(validateNamespaceDeletion(object, how, context, holding)).toEqual({ errors: [], warnings: says });
  });

  it("refuses when something in it is protected, and names it", () => {
    const found = ["a", "b", "c", "d"].map(name => ({ kind: "Secret", name }));
    const { errors, warnings } = validateNamespaceDeletion(namespace(), AT_ONCE, known, { found, unread: ["Pod"] });
    expect(errors.map(formatFieldError)).toEqual([
      `metadata.name: Forbidden: Namespace shop holds what must not be deleted: Secret a, Secret b, Secret c and 1 more; if you mean it, take the label ${DELETION_PROTECTED_LABEL} off there first`,
    ]);
    expect(warnings).toEqual(["Namespace shop: may hold protected objects that could not be read: Pod"]);
  });

  it("refuses when it is protected itself", () => {
    const { errors } = validateNamespaceDeletion(namespace({ labels: ALWAYS }), AT_ONCE, {}, NONE);
    expect(errors.map(formatFieldError).join()).toContain(`kubectl label namespace shop ${DELETION_PROTECTED_LABEL}-`);
  });
});
