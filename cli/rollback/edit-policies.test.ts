// Is a policy edited only when every template that would leave with the edit may leave?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { PP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION } from "../../lib/domain/marks.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { CONFIG_MAPS, PROPAGATION_POLICIES } from "../../lib/kube/kinds.js";
import { configMap } from "../view/samples.js";
import { editPolicy, policyEdits } from "./edit-policies.js";
import type { PlannedRollback } from "./plan.js";

const policyNamed = (name: string): AnyPolicy =>
  ({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name, namespace: "shop", uid: `uid-${name}`, labels: { [PP_ID_LABEL]: `id-${name}` } },
    spec: { resourceSelectors: [] },
  }) as unknown as AnyPolicy;

interface Given {
  readonly policy?: string;
  readonly state?: PlannedRollback["state"];
  /** The clusters that the edited policy would still name; absent: it has no edit. */
  readonly staying?: readonly string[];
}

function planned(name: string, { policy = "all", state = "live", staying }: Given = {}): PlannedRollback {
  const bare = configMap(name, `uid-${name}`);
  const labels = { [PP_ID_LABEL]: `id-${policy}` };
  const annotations = { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: policy };
  const template: KubeObject = { ...bare, metadata: { ...bare.metadata, labels, annotations } };
  const standing = {
    name: { resource: { ...CONFIG_MAPS, verbs: [], subresources: [] }, namespace: "shop", name },
    reference: template,
    template,
    binding: undefined,
    works: [],
  };
  const placement = { clusterAffinity: { clusterNames: [...(staying ?? [])] } };
  const leaving = { resource: PROPAGATION_POLICIES, policy: policyNamed(policy), placement };
  return { standing, state, copies: [], ...(staying && { leaving }) };
}

const staying = ["m2"];

describe("policyEdits", () => {
  it("edits a policy once for all that leave with it, and every other policy for itself", () => {
    const ready = [planned("a", { staying }), planned("b", { staying }), planned("c", { policy: "own", staying })];
    const edits = policyEdits(ready, ready);
    expect(edits.map(({ leaving }) => leaving.policy.metadata.name)).toEqual(["all", "own"]);
    expect(edits.map(({ concerned }) => concerned.length)).toEqual([2, 1]);
    expect(edits.every(({ why }) => why === undefined)).toBe(true);
  });

  it.each`
    what                                                | other                                       | why
    ${"is refused, or whose word is not in every Work"} | ${planned("b", { staying })}                | ${"also places ConfigMap shop/b"}
    ${"is in no other member, so has no edit"}          | ${planned("b")}                             | ${"also places ConfigMap shop/b"}
    ${"follows another policy"}                         | ${planned("b", { policy: "own", staying })} | ${undefined}
    ${"is in none of these members any more"}           | ${planned("b", { state: "gone" })}          | ${undefined}
    ${"is being deleted: it has its order"}             | ${planned("b", { state: "leaving" })}       | ${undefined}
  `("says $why where a template $what", ({ other, why }: { other: PlannedRollback; why: string | undefined }) => {
    const ready = [planned("a", { staying })];
    const [edit] = policyEdits([...ready, other], ready);
    if (why === undefined) expect(edit?.why).toBeUndefined();
    else expect(edit?.why).toContain(why);
  });

  it("refuses an edit that is not the same for all", () => {
    const ready = [planned("a", { staying }), planned("b", { staying: ["m3"] })];
    expect(policyEdits(ready, ready)[0]?.why).toContain("one by one");
  });
});

describe("editPolicy", () => {
  const policy = { ...policyNamed("all"), metadata: { ...policyNamed("all").metadata, resourceVersion: "1" } };
  const leaving = { resource: PROPAGATION_POLICIES, policy, placement: { clusterAffinity: { clusterNames: ["m2"] } } };

  /** A host whose policy is at another version by now, and is written only by whoever knows that. */
  function hostWith(live: AnyPolicy) {
    const request = (method: string, _path: string, options: { readonly body?: unknown } = {}): Promise<unknown> => {
      if (method === "GET") return Promise.resolve(live);
      const { metadata } = options.body as AnyPolicy;
      const isCurrent =
        metadata.uid === live.metadata.uid && metadata.resourceVersion === live.metadata.resourceVersion;
      return isCurrent ? Promise.resolve(live) : Promise.reject(new KubeError(409, "Conflict", "has been modified"));
    };
    return { request } as unknown as KubeClient;
  }

  const later = { ...policy.metadata, resourceVersion: "2" };

  it("goes on after a write that left the spec as it was, such as that of a status", async () => {
    await expect(editPolicy(hostWith({ ...policy, metadata: later }), leaving)).resolves.toBeUndefined();
  });

  it.each`
    what                    | live
    ${"edited meanwhile"}   | ${{ ...policy, metadata: later, spec: { ...policy.spec, priority: 5 } }}
    ${"another one by now"} | ${{ ...policy, metadata: { ...later, uid: "other" } }}
    ${"being deleted"}      | ${{ ...policy, metadata: { ...later, deletionTimestamp: "2026-01-01T00:00:00Z" } }}
  `("writes nothing into a policy that is $what", async ({ live }: { live: AnyPolicy }) => {
    await expect(editPolicy(hostWith(live), leaving)).rejects.toThrow("has been modified");
  });
});
