// Does a policy that is deleted wait for everything that follows it?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { PP_FINALIZER, PP_ID_LABEL } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { policyReconciler } from "./policy.js";

const policy = {
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "PropagationPolicy",
  metadata: {
    ...{ namespace: "shop", name: "pp", uid: "u", labels: { [PP_ID_LABEL]: "p1" } },
    ...{ finalizers: [PP_FINALIZER], deletionTimestamp: "2026-01-01T00:00:00Z" },
  },
  spec: { resourceSelectors: [] },
};
const template: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "cfg" } };
const binding = { spec: { resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" } } };

interface Followers {
  readonly templates?: readonly KubeObject[];
  readonly bindings?: readonly unknown[];
  readonly claiming?: boolean;
}

async function farewell({ templates = [], bindings = [], claiming = false }: Followers) {
  const removed: string[] = [];
  const woken: string[] = [];
  const collection = {
    find: () => policy,
    removeFinalizer: (_: unknown, finalizer: string) => Promise.resolve(void removed.push(finalizer)),
  };
  const host = {
    policiesLike: () => collection,
    templates: { claimedBy: () => templates },
    bindings: { store: { byIndex: () => bindings } },
    clusterBindings: { store: { byIndex: () => [] } },
  };
  const reconcile = policyReconciler({ host } as unknown as Dependencies, {
    template: key => void woken.push(key),
    isForced: () => false,
    report: () => undefined,
    isClaiming: id => claiming && id === "p1",
  });
  const result = await reconcile("PropagationPolicy|shop|pp", new AbortController().signal);
  return { gone: removed.includes(PP_FINALIZER), woken: woken.length, again: result.requeueAfterMs !== undefined };
}

describe("a policy that is being deleted", () => {
  it.each`
    given                                          | followers                    | outcome
    ${"nothing follows it"}                        | ${{}}                        | ${{ gone: true, woken: 0, again: false }}
    ${"a template bears its claim"}                | ${{ templates: [template] }} | ${{ gone: false, woken: 1, again: false }}
    ${"a binding bears its claim"}                 | ${{ bindings: [binding] }}   | ${{ gone: false, woken: 1, again: false }}
    ${"a template is getting its claim right now"} | ${{ claiming: true }}        | ${{ gone: false, woken: 0, again: true }}
  `("is $outcome when $given", async ({ followers, outcome }) => {
    expect(await farewell(followers as Followers)).toEqual(outcome);
  });
});
