// Does each overrider change what it names, and nothing else?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { getAt } from "./json-pointer.js";
import { applyOverriders } from "./override-rule.js";

function web(metadata: object = { labels: { app: "web" } }): KubeObject {
  const containers = [
    { name: "c", image: "reg.io/web:1", command: ["run"], args: ["-v", "-x"] },
    { name: "s", image: "side:1" },
  ];
  const init = [{ name: "i", image: "init:1" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", ...metadata },
    spec: { replicas: 2, template: { spec: { containers, initContainers: init } } },
  };
}

describe("applyOverriders", () => {
  const template = (containers: unknown[]) => ({ spec: { template: { spec: { containers } } } });

  it("changes images of containers, not of init containers, and before everything else", () => {
    const result = applyOverriders(web(), {
      plaintext: [{ path: "/spec/template/spec/containers/1/image", operator: "replace", value: "last:9" }],
      imageOverrider: [{ component: "Registry", operator: "replace", value: "mirror.io" }],
    });

    expect(result).toMatchObject(template([{ image: "mirror.io/web:1" }, { image: "last:9" }]));
    expect(result.spec).toMatchObject({ template: { spec: { initContainers: [{ image: "init:1" }] } } });
  });

  it("changes only the image that the predicate names, in any kind", () => {
    const path = "/spec/agent/image";
    const custom = { apiVersion: "x.example/v1", kind: "Agent", metadata: { name: "a", namespace: "shop" } };
    const manifest = { ...custom, spec: { agent: { image: "agent:1" } } };
    const overrider = { component: "Tag", operator: "replace", value: "2" } as const;

    expect(applyOverriders(manifest, { imageOverrider: [{ ...overrider, predicate: { path } }] }).spec).toEqual({
      agent: { image: "agent:2" },
    });
    expect(applyOverriders(manifest, { imageOverrider: [overrider] })).toEqual(manifest);
  });

  it.each`
    operator    | value           | args
    ${"add"}    | ${["-y"]}       | ${["-v", "-x", "-y"]}
    ${"remove"} | ${["-x", "-q"]} | ${["-v"]}
    ${"remove"} | ${["-x", "-v"]} | ${undefined}
  `("$operator of $value leaves the arguments $args", ({ operator, value, args }) => {
    const result = applyOverriders(web(), { argsOverrider: [{ containerName: "c", operator, value } as never] });

    expect(getAt(result, "/spec/template/spec/containers/0")).toEqual({
      name: "c",
      image: "reg.io/web:1",
      command: ["run"],
      args,
    });
  });

  it("creates a command that was not there and passes by an unknown container", () => {
    const overrider = { operator: "add", value: ["go"] } as const;

    const result = applyOverriders(web(), {
      commandOverrider: [
        { containerName: "s", ...overrider },
        { containerName: "nobody", ...overrider },
      ],
    });

    expect(result).toMatchObject(template([{ command: ["run"] }, { command: ["go"] }]));
  });

  it.each`
    operator     | labels                | value                        | result
    ${"add"}     | ${undefined}          | ${{ "lb.example/vpc": "1" }} | ${{ "lb.example/vpc": "1" }}
    ${"add"}     | ${{ a: "1" }}         | ${{ a: "2", b: "3" }}        | ${{ a: "2", b: "3" }}
    ${"replace"} | ${{ a: "1" }}         | ${{ a: "2", b: "3" }}        | ${{ a: "2" }}
    ${"remove"}  | ${{ a: "1", b: "2" }} | ${{ a: "other" }}            | ${{ b: "2" }}
    ${"remove"}  | ${{ a: "1" }}         | ${{ a: "" }}                 | ${undefined}
    ${"replace"} | ${undefined}          | ${{ a: "2" }}                | ${undefined}
  `("$operator of $value makes $result of $labels", ({ operator, labels, value, result }) => {
    const overrider = { operator, value } as never;

    expect(applyOverriders(web({ labels }), { labelsOverrider: [overrider] }).metadata.labels).toEqual(result);
    expect(
      applyOverriders(web({ annotations: labels }), { annotationsOverrider: [overrider] }).metadata.annotations,
    ).toEqual(result);
  });

  it.each`
    given                  | annotations
    ${"other annotations"} | ${{ old: "1" }}
    ${"none at all"}       | ${undefined}
  `("adds an annotation by plaintext to $given", ({ annotations }) => {
    const path = "/metadata/annotations/lb.example~1vpc";

    const result = applyOverriders(web({ annotations }), { plaintext: [{ path, operator: "add", value: "vpc-1" }] });

    expect(result.metadata.annotations).toEqual({ ...annotations, "lb.example/vpc": "vpc-1" });
  });
});
