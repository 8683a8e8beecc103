// Does a policy's status speak of a generation only when all that it said before is on record?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import type { AnyCascadePolicy } from "../../lib/kube/host.js";
import type { TemplateRef } from "../../lib/kube/templates.js";
import { Hearings } from "./hearings.js";

const policy = (generation = 2, observed = 1) =>
  ({
    metadata: { namespace: "shop", name: "keep", uid: "p", generation },
    status: { observedGeneration: observed },
  }) as unknown as AnyCascadePolicy;

const leaving = (name: string, namespace = "shop"): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    namespace,
    name,
    uid: `uid of ${name}`,
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: [LET_GO_FINALIZER],
  },
});

function world() {
  const templates: KubeObject[] = [];
  const state: { unseen: string | undefined } = { unseen: undefined };
  const store = { values: () => templates.values() };
  const find = ({ name, namespace }: TemplateRef) =>
    templates.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const host = { templates: { collections: () => [{ store }].values(), find } };
  const hearings = new Hearings(host as unknown as ConstructorParameters<typeof Hearings>[0], () => state.unseen);
  return { templates, state, hearings };
}

describe("waitsFor", () => {
  it("waits until every template has been looked at", () => {
    const { state, hearings } = world();
    state.unseen = "ConfigMap shop/db";
    expect(hearings.waitsFor(policy())).toBe("ConfigMap shop/db");
    state.unseen = undefined;
    expect(hearings.waitsFor(policy())).toBeUndefined();
  });

  it("is said of one whose status speaks of it, whatever else goes on", () => {
    const { state, hearings, templates } = world();
    state.unseen = "ConfigMap shop/db";
    templates.push(leaving("web"));
    expect(hearings.waitsFor(policy(2, 2))).toBeUndefined();
  });

  it("waits for those that were leaving then, and for none that begins to leave later", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web"));
    expect(hearings.waitsFor(policy())).toBe("ConfigMap shop/web");
    templates.push(leaving("later"));
    expect(hearings.waitsFor(policy())).toBe("ConfigMap shop/web");
    templates.shift();
    expect(hearings.waitsFor(policy())).toBeUndefined();
  });

  it("does not take another one under its name for one that was leaving", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web"));
    hearings.waitsFor(policy());
    templates[0] = { ...leaving("web"), metadata: { ...leaving("web").metadata, uid: "another" } };
    expect(hearings.waitsFor(policy())).toBeUndefined();
  });

  it("waits for no template of another namespace", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web", "elsewhere"));
    expect(hearings.waitsFor(policy())).toBeUndefined();
  });

  it("begins anew with the next edit, and with the next policy of that uid", () => {
    const { state, hearings } = world();
    expect(hearings.waitsFor(policy(2))).toBeUndefined();
    state.unseen = "ConfigMap shop/db";
    expect(hearings.waitsFor(policy(2))).toBeUndefined();
    expect(hearings.waitsFor(policy(3))).toBe("ConfigMap shop/db");
    expect(hearings.waitsFor(policy(2))).toBeUndefined();
    hearings.forget("p");
    expect(hearings.waitsFor(policy(2))).toBe("ConfigMap shop/db");
  });
});
