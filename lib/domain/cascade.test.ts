// Tests of wordFor: ranks, disagreement, what stays on record.
import { describe, expect, it } from "vitest";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import { wordFor, type CascadeRule } from "./cascade.js";

const cluster = { metadata: { name: "m1", labels: { tier: "gold" } }, spec: { region: "eu" } };
const web = (annotation?: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    namespace: "shop",
    name: "web",
    labels: { app: "web" },
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...(annotation === undefined ? {} : { annotations: { "resourcetemplate.karmada.io/cascadedeletion": annotation } }),
  },
});

const selects = {
  name: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
  label: { apiVersion: "apps/v1", kind: "Deployment", labelSelector: { matchLabels: { app: "web" } } },
  kind: { apiVersion: "apps/v1", kind: "Deployment" },
  other: { apiVersion: "apps/v1", kind: "Deployment", name: "db", labelSelector: { matchLabels: { app: "web" } } },
};

const rule = (
  by: keyof typeof selects,
  cascadeDeletion: Cascade | undefined,
  more: { name?: string; kind?: string; namespace?: string; clusters?: string[]; deleted?: string } = {},
): CascadeRule => ({
  kind: more.kind ?? "CascadeDeletionPolicy",
  metadata: {
    name: more.name ?? "rule",
    namespace: more.kind ? undefined : (more.namespace ?? "shop"),
    deletionTimestamp: more.deleted,
  },
  spec: {
    cascadeDeletion,
    resourceSelectors: [selects[by]],
    ...(more.clusters ? { targetCluster: { clusterNames: more.clusters } } : {}),
  },
});
const wide = { kind: "ClusterCascadeDeletionPolicy" };

const record = (reason: ClusterDeletion["reason"], cascadeDeletion: Cascade, name = "m1"): ClusterDeletion[] => [
  { name, reason, cascadeDeletion, decidedBy: "the record" },
];

const word = (given: {
  annotation?: string;
  rules?: CascadeRule[];
  preserve?: boolean;
  recorded?: ClusterDeletion[];
}) =>
  wordFor(cluster, {
    template: web(given.annotation),
    rules: given.rules ?? [],
    policy: { preserve: given.preserve, decidedBy: "PropagationPolicy shop/web" },
    recorded: given.recorded ?? [],
  });

describe("wordFor", () => {
  it.each`
    given                                                   | input                                                                                               | cascade         | reason
    ${"nothing"}                                            | ${{}}                                                                                               | ${"background"} | ${"Default"}
    ${"a policy that says keep"}                            | ${{ preserve: true }}                                                                               | ${"orphan"}     | ${"PolicyField"}
    ${"a policy that says delete"}                          | ${{ preserve: false }}                                                                              | ${"background"} | ${"PolicyField"}
    ${"an annotation against the policy"}                   | ${{ preserve: false, annotation: "orphan" }}                                                        | ${"orphan"}     | ${"TemplateAnnotation"}
    ${"an annotation that deletes against the policy"}      | ${{ preserve: true, annotation: "background" }}                                                     | ${"background"} | ${"TemplateAnnotation"}
    ${"an annotation against a rule"}                       | ${{ annotation: "background", rules: [rule("name", "orphan")] }}                                    | ${"background"} | ${"TemplateAnnotation"}
    ${"an annotation that nobody knows"}                    | ${{ annotation: "orphans" }}                                                                        | ${"orphan"}     | ${"TemplateAnnotation"}
    ${"an annotation that looks at the past"}               | ${{ annotation: "adopted" }}                                                                        | ${"adopted"}    | ${"TemplateAnnotation"}
    ${"a rule against the policy"}                          | ${{ preserve: true, rules: [rule("kind", "background")] }}                                          | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"a rule that says nothing"}                           | ${{ preserve: true, rules: [rule("name", undefined)] }}                                             | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"a rule whose name beats its labels"}                 | ${{ preserve: true, rules: [rule("other", "background")] }}                                         | ${"orphan"}     | ${"PolicyField"}
    ${"a rule of another namespace"}                        | ${{ rules: [rule("name", "orphan", { namespace: "bar" })] }}                                        | ${"background"} | ${"Default"}
    ${"a cluster-wide rule"}                                | ${{ rules: [rule("name", "orphan", wide)] }}                                                        | ${"orphan"}     | ${"CascadeDeletionPolicy"}
    ${"a rule by name against one by labels"}               | ${{ rules: [rule("label", "orphan"), rule("name", "background")] }}                                 | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"a rule by labels against one by kind"}               | ${{ rules: [rule("kind", "orphan"), rule("label", "background")] }}                                 | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"two rules of one rank"}                              | ${{ rules: [rule("name", "background"), rule("name", "orphan", { name: "b" })] }}                   | ${"orphan"}     | ${"CascadeDeletionPolicy"}
    ${"two rules of one rank, one of them looking back"}    | ${{ rules: [rule("name", "background"), rule("name", "adopted", { name: "b" })] }}                  | ${"adopted"}    | ${"CascadeDeletionPolicy"}
    ${"a namespaced and a cluster-wide rule of one rank"}   | ${{ rules: [rule("name", "background"), rule("name", "orphan", wide)] }}                            | ${"orphan"}     | ${"CascadeDeletionPolicy"}
    ${"a rule for this cluster against one for all"}        | ${{ rules: [rule("name", "orphan"), rule("name", "background", { name: "b", clusters: ["m1"] })] }} | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"a rule for another cluster"}                         | ${{ preserve: true, rules: [rule("name", "background", { clusters: ["m2"] })] }}                    | ${"orphan"}     | ${"PolicyField"}
    ${"a rule that has gone, by the record"}                | ${{ preserve: false, recorded: record("CascadeDeletionPolicy", "orphan") }}                         | ${"orphan"}     | ${"CascadeDeletionPolicy"}
    ${"a rule that has gone, in another cluster"}           | ${{ preserve: false, recorded: record("CascadeDeletionPolicy", "orphan", "m2") }}                   | ${"background"} | ${"PolicyField"}
    ${"a rule against the record"}                          | ${{ rules: [rule("kind", "background")], recorded: record("CascadeDeletionPolicy", "orphan") }}     | ${"background"} | ${"CascadeDeletionPolicy"}
    ${"an annotation that was taken away"}                  | ${{ preserve: false, recorded: record("TemplateAnnotation", "orphan") }}                            | ${"background"} | ${"PolicyField"}
    ${"a rule that is on its way out"}                      | ${{ preserve: false, rules: [rule("name", "orphan", { deleted: "2026-02-01T00:00:00Z" })] }}        | ${"orphan"}     | ${"CascadeDeletionPolicy"}
    ${"a rule that was on its way out before the template"} | ${{ preserve: false, rules: [rule("name", "orphan", { deleted: "2025-02-01T00:00:00Z" })] }}        | ${"background"} | ${"PolicyField"}
  `("answers $cascade ($reason) for $given", ({ input, cascade, reason }) => {
    expect(word(input)).toMatchObject({ name: "m1", cascadeDeletion: cascade, reason });
  });

  it("names the rules that say otherwise, and only those of the same rank", () => {
    const rules = [
      rule("name", "orphan", { name: "keeps" }),
      rule("name", "background", { name: "deletes" }),
      rule("kind", "background", { name: "broad" }),
    ];
    expect(word({ rules })).toMatchObject({
      decidedBy: "CascadeDeletionPolicy shop/keeps",
      disagreeing: ["CascadeDeletionPolicy shop/deletes"],
    });
  });

  it.each(["keep", "Orphan", ""])("keeps, and says so, when the annotation's value is %j", annotation => {
    const { cascadeDeletion, decidedBy } = word({ annotation });
    expect(cascadeDeletion).toBe("orphan");
    expect(decidedBy).toContain("not known, so kept");
  });
});
