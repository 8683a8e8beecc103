// Does a template wait aloud for the override that its policy names, and go on the moment it is there?
import { expect, it } from "vitest";
import { applied, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { binding, condition, eventOn, find, present } from "../support/case-world.js";
import { onto, override, policy, rule, web, WEB } from "../support/case-objects.js";

const ONE_LESS = { plaintext: [{ path: "/spec/replicas", operator: "replace", value: 1 }] };
const waiting = (namespace: string) =>
  policy(namespace, "web", {
    resourceSelectors: [WEB],
    placement: onto("member1", "member2"),
    dependentOverrides: ["later"],
  });
const replicasOf = (object: object) => (object as { spec: { replicas?: number } }).spec.replicas;

it("says what it waits for on policy and template, sends nothing, and goes on within a second", async () => {
  const ns = await freshNamespace();
  const template = web(ns);
  await applied("host", waiting(ns), template);

  const ready = await condition(waiting(ns), "Ready", c => c.reason === "WaitingForDependentOverrides");
  expect(ready.message).toContain("spec.dependentOverrides: later not found");
  expect(await eventOn(template, "WaitingForDependentOverrides")).toContain("later");
  expect(await find("member1", template)).toBeUndefined();

  await applied("host", override(ns, "later", rule(WEB, { clusterNames: ["member1"] }, ONE_LESS)));
  const began = Date.now();
  expect(replicasOf(await present("member1", template))).toBe(1);
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(replicasOf(await present("member2", template))).toBe(2);
  await condition(waiting(ns), "Ready", c => c.status === "True");
});

it("never shows a member the template without the override, even for a moment", async () => {
  const ns = await freshNamespace();
  const template = web(ns);
  await applied("host", waiting(ns), template);
  await condition(waiting(ns), "Ready", c => c.reason === "WaitingForDependentOverrides");
  await applied("host", override(ns, "later", rule(WEB, undefined, ONE_LESS)));

  const there = await present("member1", template);
  expect(there.metadata.generation).toBe(1);
  expect(replicasOf(there)).toBe(1);
});

it("keeps what is there when the override is deleted later, and says so", async () => {
  const ns = await freshNamespace();
  const template = web(ns);
  await applied("host", override(ns, "later", rule(WEB, undefined, ONE_LESS)), waiting(ns), template);
  await present("member1", template, o => replicasOf(o) === 1);
  await kubectl("host", ["delete", "op", "later", "-n", ns]);

  await condition(waiting(ns), "Ready", c => c.reason === "WaitingForDependentOverrides");
  await present("member1", template);
  await binding(template, b => (b.spec.clusters ?? []).length === 2);
});
