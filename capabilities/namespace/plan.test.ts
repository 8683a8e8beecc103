// Is a member's namespace deleted only when nobody can miss anything?
import { describe, expect, it } from "vitest";
import { withoutFurniture, type Contents, type Occupant } from "../../lib/kube/namespace-contents.js";
import type { CascadeRule } from "../../lib/domain/cascade.js";
import { planNeed, planRemoval, planWord, type Need } from "./plan.js";

const thing = (groupKind: string, name: string, more: Partial<Occupant["metadata"]> = {}): Occupant => ({
  groupKind,
  metadata: { name, uid: `uid-${name}`, ...more },
});
const ownedBy = (name: string) => ({
  ownerReferences: [{ apiVersion: "v1", kind: "Any", name, uid: `uid-${name}` }],
});
const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };

describe("planNeed", () => {
  it.each`
    need                                                  | decide   | sentence
    ${{ onHost: true, clusterLeaving: false, works: 0 }}  | ${false} | ${"keeps a namespace that the host has, empty or not"}
    ${{ onHost: false, clusterLeaving: false, works: 0 }} | ${true}  | ${"decides when the host's namespace is gone"}
    ${{ onHost: true, clusterLeaving: true, works: 0 }}   | ${true}  | ${"decides when the cluster leaves"}
    ${{ onHost: false, clusterLeaving: false, works: 1 }} | ${false} | ${"waits for Works when the host's namespace is gone"}
    ${{ onHost: true, clusterLeaving: true, works: 1 }}   | ${false} | ${"waits for Works when the cluster leaves"}
  `("$sentence", ({ need, decide }: { need: Need; decide: boolean }) => {
    expect(planNeed(need).decide).toBe(decide);
  });
});

describe("planWord", () => {
  const cluster = { metadata: { name: "member1" }, spec: {} };
  const rule = (cascadeDeletion: CascadeRule["spec"]["cascadeDeletion"], clusterNames?: string[]): CascadeRule => ({
    kind: "ClusterCascadeDeletionPolicy",
    metadata: { name: "rule" },
    spec: {
      cascadeDeletion,
      resourceSelectors: [{ apiVersion: "v1", kind: "Namespace", name: "shop" }],
      ...(clusterNames && { targetCluster: { clusterNames } }),
    },
  });
  const shop = (word?: string) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop", ...(word && { annotations: { "resourcetemplate.karmada.io/cascadedeletion": word } }) },
  });

  it.each`
    word            | rules                                   | keep     | sentence
    ${undefined}    | ${[]}                                   | ${false} | ${"lets an empty namespace go when nobody says otherwise"}
    ${"orphan"}     | ${[]}                                   | ${true}  | ${"keeps it by the annotation"}
    ${"background"} | ${[]}                                   | ${false} | ${"lets it go by the annotation"}
    ${"adopted"}    | ${[]}                                   | ${false} | ${"does not take what we made for what was there before"}
    ${"ophran"}     | ${[]}                                   | ${true}  | ${"keeps it by a value that nobody knows"}
    ${undefined}    | ${[rule("orphan")]}                     | ${true}  | ${"keeps it by a policy about deletion"}
    ${"background"} | ${[rule("orphan")]}                     | ${false} | ${"takes the annotation before the policy"}
    ${undefined}    | ${[rule("orphan", ["member2"])]}        | ${false} | ${"leaves out a policy about another cluster"}
    ${undefined}    | ${[rule("background"), rule("orphan")]} | ${true}  | ${"keeps it when two policies disagree"}
  `("$sentence", ({ word, rules, keep }: { word?: string; rules: CascadeRule[]; keep: boolean }) => {
    expect(planWord({ cluster, namespace: shop(word), rules }).keep).toBe(keep);
  });

  it("keeps what nobody saw go, and says so", () => {
    expect(planWord(undefined)).toEqual({ keep: true, why: expect.stringContaining("nobody saw") as unknown });
  });
});

describe("planRemoval", () => {
  const configMap = thing("/ConfigMap", "settings");
  const pod = thing("/Pod", "web-1", { ...going, ...ownedBy("web-rs") });
  const orphan = thing("apps/ReplicaSet", "web-rs", ownedBy("web"));

  it.each`
    occupants                                         | patient  | action       | sentence
    ${[]}                                             | ${true}  | ${"delete"}  | ${"deletes an empty namespace"}
    ${[configMap]}                                    | ${true}  | ${"release"} | ${"lets go of one that holds anything"}
    ${[thing("/ConfigMap", "old", going)]}            | ${true}  | ${"wait"}    | ${"waits for what is being deleted"}
    ${[thing("/ConfigMap", "old", going)]}            | ${false} | ${"release"} | ${"lets go when what is being deleted stays too long"}
    ${[orphan, pod]}                                  | ${true}  | ${"wait"}    | ${"waits for what the garbage collector will take"}
    ${[orphan, thing("apps/Deployment", "web")]}      | ${true}  | ${"release"} | ${"lets go when the owner stays"}
    ${[thing("/ConfigMap", "old", going), configMap]} | ${true}  | ${"release"} | ${"lets go when only a part is being deleted"}
  `("$sentence", ({ occupants, patient, action }: { occupants: Occupant[]; patient: boolean; action: string }) => {
    expect(planRemoval({ occupants }, patient).action).toBe(action);
  });

  it("lets go when not everything can be seen, even if what is seen is nothing", () => {
    const contents: Contents = { occupants: [], hidden: "an aggregated API does not answer" };

    expect(planRemoval(contents, true)).toEqual({ action: "release", why: "an aggregated API does not answer" });
  });

  it("says what it found", () => {
    expect(planRemoval({ occupants: [configMap, orphan] }, true)).toEqual({
      action: "release",
      why: "it holds ConfigMap settings and 1 other object(s)",
    });
  });

  it("ends when two objects own each other", () => {
    const [a, b] = [thing("/A", "a", ownedBy("b")), thing("/B", "b", ownedBy("a"))];

    expect(planRemoval({ occupants: [a, b] }, true).action).toBe("wait");
  });
});

describe("withoutFurniture", () => {
  it.each`
    occupant                                                                                                     | counts   | sentence
    ${thing("/ServiceAccount", "default")}                                                                       | ${false} | ${"leaves out the default ServiceAccount"}
    ${thing("/ServiceAccount", "builder")}                                                                       | ${true}  | ${"counts any other ServiceAccount"}
    ${thing("/ConfigMap", "kube-root-ca.crt")}                                                                   | ${false} | ${"leaves out the cluster's trust"}
    ${thing("/ConfigMap", "default")}                                                                            | ${true}  | ${"counts an object that is only called like one of them"}
    ${thing("/Event", "web.1")}                                                                                  | ${false} | ${"leaves out Events"}
    ${thing("coordination.k8s.io/Lease", "lock")}                                                                | ${false} | ${"leaves out Leases"}
    ${thing("/Secret", "default-token-x", { annotations: { "kubernetes.io/service-account.name": "default" } })} | ${false} | ${"leaves out the default account's token"}
    ${thing("/Secret", "pull", ownedBy("default"))}                                                              | ${false} | ${"leaves out what the default account owns"}
    ${thing("/Secret", "pull")}                                                                                  | ${true}  | ${"counts a Secret"}
    ${thing("/Secret", "pull", ownedBy("gone"))}                                                                 | ${true}  | ${"counts what something else owns"}
  `("$sentence", ({ occupant, counts }: { occupant: Occupant; counts: boolean }) => {
    const found = withoutFurniture([thing("/ServiceAccount", "default"), occupant]);

    expect(found).toEqual(counts ? [occupant] : []);
  });
});
