// Is data written as kubectl writes it?
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { documentOf, listOf, nameOf } from "./format.js";

const settings = {
  metadata: { name: "settings", labels: undefined },
  kind: "ConfigMap",
  apiVersion: "v1",
  data: { on: "yes", empty: "", script: "a\nb\n", list: ["x"], same: { a: 1 } },
};

describe("documentOf", () => {
  it("gives JSON with four blanks, without what is not there", () => {
    expect(documentOf({ a: { b: 1, c: undefined } }, "json")).toBe('{\n    "a": {\n        "b": 1\n    }\n}');
  });

  it("gives YAML with sorted keys, flat lists, and strings that stay strings", () => {
    expect(documentOf(settings, "yaml").split("\n")).toEqual([
      "apiVersion: v1",
      "data:",
      '  empty: ""',
      "  list:",
      "  - x",
      '  "on": "yes"',
      "  same:",
      "    a: 1",
      "  script: |",
      "    a",
      "    b",
      "kind: ConfigMap",
      "metadata:",
      "  name: settings",
    ]);
  });

  it("gives YAML that means the same", () => {
    expect(parse(documentOf(settings, "yaml"))).toEqual(JSON.parse(JSON.stringify(settings)));
  });
});

describe("listOf", () => {
  it("is a List of v1", () => {
    expect(listOf([])).toEqual({ apiVersion: "v1", items: [], kind: "List", metadata: { resourceVersion: "" } });
  });
});

describe("nameOf", () => {
  it.each`
    kind            | group     | name
    ${"Deployment"} | ${"apps"} | ${"deployment.apps/web"}
    ${"ConfigMap"}  | ${""}     | ${"configmap/web"}
  `("calls a $kind $name", ({ kind, group, name }: Record<"kind" | "group" | "name", string>) => {
    expect(nameOf({ kind, group }, "web")).toBe(name);
  });
});
