// Is a cluster that does not serve a kind left out and named, and served as soon as it does?
import { expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshNamespace } from "../support/case-kubectl.js";
import { absent, binding, present, work } from "../support/case-world.js";
import { freshKind, installWidgets, widget } from "../support/case-widgets.js";
import { onto, policy } from "../support/case-objects.js";

it("goes where the kind is, names the cluster without it, and goes there too once it is installed", async () => {
  const ns = await freshNamespace();
  const names = freshKind();
  const crd = installWidgets(names);
  await crd.into("host");
  await crd.into("member1");
  const template = widget({ ...names, namespace: ns });
  const selector = { apiVersion: template.apiVersion, kind: template.kind };
  await applied("host", policy(ns, "all", { resourceSelectors: [selector], placement: onto("member1", "member2") }));
  await applied("host", template);

  await present("member1", template, undefined, 40_000);
  const told = await binding(template, b => conditionOf(b, "FullyApplied")?.status === "True");
  expect(told.spec.clusters?.map(c => c.name)).toEqual(["member1"]);
  expect(conditionOf(told, "Scheduled")?.message).toContain(
    `member2: it does not serve ${template.apiVersion} ${template.kind}`,
  );

  await crd.into("member2");
  await present("member2", template, undefined, 40_000);
  await binding(template, b => conditionOf(b, "FullyApplied")?.status === "True" && b.spec.clusters?.length === 2);
});

it("goes nowhere, and says why, while no cluster serves the kind", async () => {
  const ns = await freshNamespace();
  const names = freshKind();
  const crd = installWidgets(names);
  await crd.into("host");
  const template = widget({ ...names, namespace: ns });
  const selector = { apiVersion: template.apiVersion, kind: template.kind };
  await applied("host", policy(ns, "all", { resourceSelectors: [selector] }), template);

  const told = await binding(template, b => conditionOf(b, "Scheduled")?.status === "False");
  const { reason, message } = conditionOf(told, "Scheduled") ?? {};
  expect(reason).toBe("NoClusterFit");
  expect(message).toMatch(/member1: it does not serve .*; member2: it does not serve /);
});

it("names the fields that a narrower schema in one member drops", async () => {
  const ns = await freshNamespace();
  const names = freshKind();
  const crd = installWidgets(names);
  await crd.into("host");
  await crd.into("member1");
  await crd.into("member2", ["size"]);
  const template = widget({ ...names, namespace: ns });
  const selector = { apiVersion: template.apiVersion, kind: template.kind };
  await applied("host", policy(ns, "all", { resourceSelectors: [selector] }), template);

  await present("member1", template, o => JSON.stringify(o["spec"]).includes("blue"), 40_000);
  const there = await present("member2", template, undefined, 40_000);
  expect(there["spec"]).toEqual({ size: "large" });
  const told = await work(template, "member2", w => conditionOf(w, "Applied")?.status === "True");
  expect(conditionOf(told, "Applied")?.message).toContain("does not know them: .spec.color");
  await binding(template, b => conditionOf(b, "FullyApplied")?.status === "True");
});

it("removes its copies when the kind leaves the host again and the template with it", async () => {
  const ns = await freshNamespace();
  const names = freshKind();
  const crd = installWidgets(names);
  await crd.into("host");
  await crd.into("member1");
  const template = widget({ ...names, namespace: ns });
  const selector = { apiVersion: template.apiVersion, kind: template.kind };
  await applied("host", policy(ns, "all", { resourceSelectors: [selector], placement: onto("member1") }), template);
  await present("member1", template, undefined, 40_000);

  await crd.outOf("host");
  await absent("member1", template, 40_000);
});
