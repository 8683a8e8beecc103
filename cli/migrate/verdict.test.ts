// Is it said of every object that cannot be taken over why, and what the way out is?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import {
  MANAGED_LABEL,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { objectKey } from "../view/adoption.js";
import { configMap, workFor } from "../view/samples.js";
import type { PlannedKind } from "./kinds.js";
import { MIGRATION_MANAGER } from "./names.js";
import { judge, type HostFacts, type Verdict } from "./verdict.js";

const resource = { ...CONFIG_MAPS, verbs: ["get", "list"], subresources: [] };
const both: PlannedKind = { resource, onHost: resource, hostVersions: ["v1"] };
const otherVersion: PlannedKind = {
  resource: { ...resource, group: "team.example" },
  hostVersions: ["team.example/v2"],
};
const unknown: PlannedKind = { resource: { ...resource, group: "team.example" }, hostVersions: [] };

const owner = (manager: string) => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  fieldsV1: { "f:data": { "f:a": {} } },
});
const plain = configMap("web", "u1");
const withData = (
  a: string,
  metadata: Partial<KubeObject["metadata"]> = {},
  manager = "kubectl-create",
): KubeObject => ({
  ...plain,
  metadata: { ...plain.metadata, managedFields: [owner(manager)], ...metadata },
  data: { a },
});
const labelled = (labels: Readonly<Record<string, string>>) => withData("1", { labels });
const work = (() => {
  const bare = workFor(plain);
  return { ...bare, metadata: { ...bare.metadata, labels: { [WORK_ID_LABEL]: "id-1" } } };
})();
const claimed = (name: string) => ({
  labels: { [PP_ID_LABEL]: `id-${name}` },
  annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: name },
});
const policy = (name: string, priority: number) => ({
  kind: "PropagationPolicy" as const,
  policy: {
    metadata: { name, namespace: "shop" },
    spec: { priority, resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }] },
  } as unknown as AnyPolicy,
});

interface Given {
  readonly live?: KubeObject;
  readonly kind?: PlannedKind;
  readonly onHost?: KubeObject;
  readonly hasWork?: boolean;
  readonly policies?: HostFacts["policies"];
}

function judged({ live = withData("1"), kind = both, onHost, hasWork = false, policies = [] }: Given) {
  const template: KubeObject = { ...configMap("web"), data: { a: "1" } };
  return judge(
    { kind, live, template },
    {
      cluster: "m1",
      templates: new Map(onHost ? [[objectKey(onHost), onHost]] : []),
      works: new Map(hasWork ? [[objectKey(plain), work]] : []),
      policies,
      ownPolicies: ["migrate-m1"],
    },
  );
}

const mine = { [WORK_ID_LABEL]: "id-1", [MANAGED_LABEL]: "true" };

describe("judge", () => {
  it.each`
    what                                        | given                                                             | why                                | wayOut
    ${"a version that the host does not serve"} | ${{ kind: otherVersion }}                                         | ${"as team.example/v2 only"}       | ${"let the host serve team.example/v1"}
    ${"a kind that the host does not know"}     | ${{ kind: unknown }}                                              | ${"knows no ConfigMap"}            | ${"install its CRD configmaps.team.example"}
    ${"marks of another control plane"}         | ${{ live: labelled(mine) }}                                       | ${"another Holdfast or Karmada"}   | ${"kubectl label -n shop configmap web"}
    ${"marks of a Work that is not this one"}   | ${{ live: labelled({ [WORK_ID_LABEL]: "id-2" }), hasWork: true }} | ${"another Holdfast or Karmada"}   | ${"let go of it there first"}
    ${"a template that a policy holds"}         | ${{ onHost: withData("1", claimed("theirs")) }}                   | ${"PropagationPolicy shop/theirs"} | ${"conflictResolution: Overwrite"}
    ${"another object of its name on the host"} | ${{ onHost: withData("2") }}                                      | ${"with other content"}            | ${"make both say the same"}
    ${"a policy that goes first"}               | ${{ policies: [policy("theirs", 9)], onHost: withData("1") }}     | ${"PropagationPolicy shop/theirs"} | ${undefined}
  `("is blocked by $what", ({ given, why, wayOut }: { given: Given; why: string; wayOut: string | undefined }) => {
    const { settled } = judged(given);
    expect(settled).toMatchObject({ state: "blocked" });
    const blocked = settled as Extract<Verdict, { state: "blocked" }>;
    expect(blocked.why).toContain(why);
    expect(blocked.wayOut).toContain(wayOut ?? "lower its priority");
  });

  it.each`
    what                                           | given
    ${"a template that says the same"}             | ${{ onHost: withData("1") }}
    ${"a template of its own policy"}              | ${{ onHost: withData("1", claimed("migrate-m1")) }}
    ${"a template that a migration has put there"} | ${{ onHost: withData("2", {}, MIGRATION_MANAGER) }}
    ${"a policy that selects by kind alone"}       | ${{ policies: [policy("theirs", 0)] }}
    ${"nothing on the host"}                       | ${{}}
  `("leaves it to the member where the host has $what", ({ given }: { given: Given }) => {
    expect(judged(given).settled).toBeUndefined();
  });

  it("takes the host's template where a migration has put one there", () => {
    expect(judged({ onHost: withData("2", {}, MIGRATION_MANAGER) }).subject.template["data"]).toEqual({ a: "2" });
  });

  it("knows what is under this host already", () => {
    expect(judged({ live: labelled(mine), hasWork: true }).settled).toEqual({ state: "managed" });
  });
});
