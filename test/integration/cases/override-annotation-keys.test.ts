// Can an override set a key with a slash in one cluster, whether or not the map is there?
import { describe, expect, it } from "vitest";
import { apply, applied, freshNamespace } from "../support/case-kubectl.js";
import { absent, binding, eventOn, find, present } from "../support/case-world.js";
import { onto, override, policy, rule } from "../support/case-objects.js";
import { conditionOf } from "../../../lib/engine/conditions.js";

const SERVICE = { apiVersion: "v1", kind: "Service", name: "web" };
const IN_MEMBER1 = { clusterNames: ["member1"] };

function service(namespace: string, annotations?: Record<string, string>) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace, ...(annotations ? { annotations } : {}) },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  };
}

const pp = (namespace: string) =>
  policy(namespace, "web", { resourceSelectors: [SERVICE], placement: onto("member1", "member2") });

const BY_OVERRIDER = { annotationsOverrider: [{ operator: "add", value: { "lb.example/vpc": "vpc-1" } }] };
const BY_POINTER = { plaintext: [{ path: "/metadata/annotations/lb.example~1vpc", operator: "add", value: "vpc-1" }] };

describe("an annotation for one cluster", () => {
  it.each`
    way                       | given                         | overriders      | annotations
    ${"annotationsOverrider"} | ${"beside other annotations"} | ${BY_OVERRIDER} | ${{ "team.example/owner": "blue" }}
    ${"annotationsOverrider"} | ${"where there is none"}      | ${BY_OVERRIDER} | ${undefined}
    ${"plaintext"}            | ${"beside other annotations"} | ${BY_POINTER}   | ${{ "team.example/owner": "blue" }}
    ${"plaintext"}            | ${"where there is none"}      | ${BY_POINTER}   | ${undefined}
  `(
    "arrives by $way $given, and in no other cluster",
    async ({ overriders, annotations }: { overriders: object; annotations?: Record<string, string> }) => {
      const ns = await freshNamespace();
      const template = service(ns, annotations);
      await applied("host", override(ns, "lb", rule(SERVICE, IN_MEMBER1, overriders)), pp(ns), template);

      const there = await present("member1", template, o => o.metadata.annotations?.["lb.example/vpc"] === "vpc-1");
      expect(there.metadata.annotations).toEqual({ ...annotations, "lb.example/vpc": "vpc-1" });
      const other = await present("member2", template);
      expect(other.metadata.annotations).toEqual(annotations);
    },
  );

  it.each(["/metadata/annotations/lb.example/vpc", '/metadata/annotations/"lb.example/vpc"'])(
    "is refused at %s, with the form that works",
    async path => {
      const ns = await freshNamespace();
      const overriders = { plaintext: [{ path, operator: "add", value: "vpc-1" }] };
      const said = await apply("host", override(ns, "lb", rule(SERVICE, IN_MEMBER1, overriders)));

      expect(said.code).toBe(1);
      expect(said.text).toContain("spec.overrideRules[0].overriders.plaintext[0].path");
      expect(said.text).toContain("write /metadata/annotations/lb.example~1vpc");
      expect(await find("host", override(ns, "lb", {}) as never)).toBeUndefined();
    },
  );

  it("tells on binding and template that a path is not there, and leaves the other cluster alone", async () => {
    const ns = await freshNamespace();
    const overriders = {
      plaintext: [{ path: "/metadata/annotations/lb.example~1vpc", operator: "replace", value: "v" }],
    };
    const template = service(ns);
    await applied("host", override(ns, "lb", rule(SERVICE, IN_MEMBER1, overriders)), pp(ns), template);

    await present("member2", template);
    const told = await binding(template, b => conditionOf(b, "FullyApplied")?.message.includes("lb") ?? false);
    const message = conditionOf(told, "FullyApplied")?.message ?? "";
    expect(message).toContain(`member1: OverridePolicy ${ns}/lb: spec.overrideRules[0].overriders.plaintext[0]`);
    expect(message).not.toContain("member2");
    expect(await eventOn(template, "ApplyOverridePolicyFailed")).toContain("member1: OverridePolicy");
    await absent("member1", template);
  });
});
