// Are files read as kubectl reads them?
import { describe, expect, it } from "vitest";
import { parseManifests, readManifests } from "./manifests.js";

const cm = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const names = (text: string): string[] => parseManifests(text, "x.yaml").map(({ metadata }) => metadata.name);

describe("parseManifests", () => {
  it.each`
    given                  | text                                                                                        | found
    ${"one document"}      | ${cm("a")}                                                                                  | ${["a"]}
    ${"several documents"} | ${`---\n${cm("a")}---\n# nothing\n---\n${cm("b")}`}                                         | ${["a", "b"]}
    ${"JSON"}              | ${'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'}                         | ${["a"]}
    ${"a List"}            | ${`apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}`} | ${["a"]}
    ${"nothing"}           | ${""}                                                                                       | ${[]}
  `("finds the objects in $given", ({ text, found }: { text: string; found: string[] }) => {
    expect(names(text)).toEqual(found);
  });

  it("takes yes for a boolean", () => {
    expect(parseManifests(`${cm("a")}immutable: yes`, "x")[0]?.["immutable"]).toBe(true);
  });

  it.each`
    text                                                | message
    ${"a: [1"}                                          | ${/^x\.yaml: .*line 1/}
    ${"just words"}                                     | ${/^x\.yaml: a document is no Kubernetes object/}
    ${"apiVersion: v1\nkind: Pod"}                      | ${/^x\.yaml: a document is no Kubernetes object/}
    ${"apiVersion: v1\nkind: Pod\nmetadata: {name: 3}"} | ${/^x\.yaml: a document is no Kubernetes object/}
  `("refuses $text and names the place", ({ text, message }: { text: string; message: RegExp }) => {
    expect(() => parseManifests(text, "x.yaml")).toThrow(message);
  });
});

describe("readManifests", () => {
  it("says which file is not there", () => {
    expect(() => readManifests(["no-such-file.yaml"])).toThrow("no-such-file.yaml: ");
  });
});
