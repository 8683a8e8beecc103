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
  const state = { hasSeenAll: true };
  const store = { values: () => templates.values() };
  const find = ({ name, namespace }: TemplateRef) =>
    templates.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const host = { templates: { collections: () => [{ store }].values(), find } };
  const hearings = new Hearings(host as unknown as ConstructorParameters<typeof Hearings>[0], () => state.hasSeenAll);
  return { templates, state, hearings };
}

describe("isHeard", () => {
  it("waits until every template has been looked at", () => {
    const { state, hearings } = world();
    state.hasSeenAll = false;
    expect(hearings.isHeard(policy())).toBe(false);
    state.hasSeenAll = true;
    expect(hearings.isHeard(policy())).toBe(true);
  });

  it("is said of one whose status speaks of it, whatever else goes on", () => {
    const { state, hearings, templates } = world();
    state.hasSeenAll = false;
    templates.push(leaving("web"));
    expect(hearings.isHeard(policy(2, 2))).toBe(true);
  });

  it("waits for those that were leaving then, and for none that begins to leave later", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web"));
    expect(hearings.isHeard(policy())).toBe(false);
    templates.push(leaving("later"));
    expect(hearings.isHeard(policy())).toBe(false);
    templates.shift();
    expect(hearings.isHeard(policy())).toBe(true);
  });

  it("does not take another one under its name for one that was leaving", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web"));
    hearings.isHeard(policy());
    templates[0] = { ...leaving("web"), metadata: { ...leaving("web").metadata, uid: "another" } };
    expect(hearings.isHeard(policy())).toBe(true);
  });

  it("waits for no template of another namespace", () => {
    const { hearings, templates } = world();
    templates.push(leaving("web", "elsewhere"));
    expect(hearings.isHeard(policy())).toBe(true);
  });

  it("begins anew with the next edit, and with the next policy of that uid", () => {
    const { state, hearings } = world();
    expect(hearings.isHeard(policy(2))).toBe(true);
    state.hasSeenAll = false;
    expect(hearings.isHeard(policy(2))).toBe(true);
    expect(hearings.isHeard(policy(3))).toBe(false);
    expect(hearings.isHeard(policy(2))).toBe(true);
    hearings.forget("p");
    expect(hearings.isHeard(policy(2))).toBe(false);
  });
});
