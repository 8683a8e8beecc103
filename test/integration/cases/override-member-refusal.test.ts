// Does everybody learn when a member refuses what an override made, and does a better override heal it?
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { binding, eventOn, present, work } from "../support/case-world.js";
import { onto, override, policy, rule, web, WEB } from "../support/case-objects.js";

const IN_MEMBER2 = { clusterNames: ["member2"] };
const env = (value: unknown) => ({
  plaintext: [{ path: "/spec/template/spec/containers/0/env", operator: "add", value }],
});

it("tells the member's own words on template and binding, and does not knock all the time", async () => {
  const ns = await freshNamespace();
  const template = web(ns);
  const bad = override(ns, "bad", rule(WEB, IN_MEMBER2, env({ bad: "bad1" })));
  await applied("host", bad, policy(ns, "web", { resourceSelectors: [WEB], placement: onto("member1", "member2") }));
  await applied("host", template);

  await present("member1", template);
  const told = await binding(template, b => conditionOf(b, "FullyApplied")?.message.includes("member2:") ?? false);
  expect(conditionOf(told, "FullyApplied")).toMatchObject({ status: "False" });
  const [first, second] = told.status?.aggregatedStatus ?? [];
  expect(first).toMatchObject({ clusterName: "member1", applied: true });
  expect(second).toMatchObject({ clusterName: "member2", applied: false });
  expect(second?.appliedMessage).toMatch(/env/);
  const refused = await work(template, "member2", w => conditionOf(w, "Applied")?.status === "False");
  expect(conditionOf(refused, "Applied")?.message).toMatch(/env/);

  const note = await eventOn(template, "SyncFailed", "member2");
  expect(note).toMatch(/env/);
  const described = await kubectl("host", ["describe", "-n", ns, "deployment", "web"]);
  expect(described.text).toContain("SyncFailed");
  expect(described.text).toMatch(/member2: .*env/);

  await applied("host", override(ns, "bad", rule(WEB, IN_MEMBER2, env([{ name: "GOOD", value: "1" }]))));
  await present("member2", template, o => JSON.stringify(o["spec"]).includes("GOOD"));
  await binding(template, b => conditionOf(b, "FullyApplied")?.status === "True");
});

it("tries a refused object less than once in five seconds after a while", async () => {
  const ns = await freshNamespace();
  // Nobody else has one, so that every refusal of a DaemonSet is of this one, whatever runs at the same time.
  const { selector, template: podTemplate } = web(ns)["spec"] as Readonly<Record<string, object>>;
  const template = { ...web(ns), kind: "DaemonSet", spec: { selector, template: podTemplate } };
  const agent = { ...WEB, kind: "DaemonSet" };
  await applied("host", override(ns, "bad", rule(agent, IN_MEMBER2, env({ bad: "bad1" }))));
  await applied("host", policy(ns, "web", { resourceSelectors: [agent], placement: onto("member1", "member2") }));
  await applied("host", template);
  await work(template, "member2", w => conditionOf(w, "Applied")?.status === "False");
  expect(await refusals()).toBeGreaterThan(0);

  await pause(30_000);
  const before = await refusals();
  await pause(20_000);
  expect((await refusals()) - before).toBeLessThanOrEqual(4);
});

/** How many server-side applies of DaemonSets the member has refused so far, by its own count. */
async function refusals(): Promise<number> {
  const { text } = await kubectl("member2", ["get", "--raw", "/metrics"]);
  return text
    .split("\n")
    .filter(line => line.startsWith("apiserver_request_total{") && /code="(4|5)\d\d"/.test(line))
    .filter(line => line.includes('resource="daemonsets"') && /verb="(APPLY|PATCH)"/.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
