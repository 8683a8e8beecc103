// Is a key read back as the object that it was made for?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplateKey, templateKey, templateRefOf, type TemplateRef } from "./templates.js";

describe("templateKey", () => {
  it.each`
    given                      | ref                                                                                         | key
    ${"a namespaced object"}   | ${{ apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" }}            | ${"apps/v1|Deployment|shop|web"}
    ${"a cluster-wide object"} | ${{ apiVersion: "v1", kind: "Namespace", name: "shop" }}                                    | ${"v1|Namespace||shop"}
    ${"a role with colons"}    | ${{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "system:node" }} | ${"rbac.authorization.k8s.io/v1|ClusterRole||system:node"}
  `("is $key for $given", ({ ref, key }) => {
    expect(templateKey(ref as TemplateRef)).toBe(key);
    expect(parseTemplateKey(key as string)).toEqual(ref);
  });

  it("is read back whole, and is another for another object", () => {
    // No part of a reference may hold a bar: the API server takes none in a name, and a path part takes no other signs.
    const part = fc.stringMatching(/^[a-zA-Z0-9.:/-]+$/);
    const refs = fc.record({
      apiVersion: part,
      kind: part,
      namespace: fc.option(part, { nil: undefined }),
      name: part,
    });
    fc.assert(
      fc.property(refs, refs, (one, two) => {
        expect(parseTemplateKey(templateKey(one))).toEqual(one);
        expect(templateKey(one) === templateKey(two)).toBe(JSON.stringify(one) === JSON.stringify(two));
      }),
    );
  });
});

describe("templateRefOf", () => {
  it("is the reference of an object, without the rest of it", () => {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "cfg", namespace: "shop", uid: "u" },
      data: {},
    };
    expect(templateRefOf(object)).toEqual({ apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" });
  });
});
