// Does an override that was deleted count a little longer, and no other's?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { OverridePolicy } from "../../crds/override-policy.js";
import { Store } from "../../lib/kube/store.js";
import { OVERRIDE_LINGER_MS, overrideSources } from "./override-sources.js";

const override = (name: string, namespace = "shop", uid = name): OverridePolicy => ({
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "OverridePolicy",
  metadata: { name, namespace, uid, resourceVersion: "1" },
  spec: { overrideRules: [] },
});
const template: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "web", namespace: "shop" } };

function sources() {
  const store = new Store<OverridePolicy>();
  const clock = { ms: 0 };
  const host = { overrides: { store }, clusterOverrides: { store: new Store() } } as unknown as Parameters<
    typeof overrideSources
  >[0];
  const subject = overrideSources(host, () => clock.ms);
  store.subscribe(change => subject.note("OverridePolicy", change));
  const names = () => subject.for(template).map(o => o.metadata.name);
  return { store, clock, names };
}

describe("overrideSources", () => {
  it("counts those of the template's namespace only", () => {
    const { store, names } = sources();
    store.observe(override("ours"));
    store.observe(override("theirs", "elsewhere"));

    expect(names()).toEqual(["ours"]);
  });

  it("goes on counting one that was deleted a moment ago, and then no longer", () => {
    const { store, clock, names } = sources();
    store.observe(override("zero"));
    store.remove(override("zero"));

    clock.ms = OVERRIDE_LINGER_MS - 1;
    expect(names()).toEqual(["zero"]);
    clock.ms = OVERRIDE_LINGER_MS;
    expect(names()).toEqual([]);
  });

  it("counts one that was made again once", () => {
    const { store, names } = sources();
    store.observe(override("zero"));
    store.remove(override("zero"));
    store.observe(override("zero", "shop", "another"));

    expect(names()).toEqual(["zero"]);
  });
});
