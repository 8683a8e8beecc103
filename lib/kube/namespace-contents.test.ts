// In which order is a namespace searched, and for which kinds?
import { describe, expect, it } from "vitest";
import { listableKinds } from "./namespace-contents.js";

const kind = (
  group: string,
  name: string,
  more: { namespaced?: boolean; verbs?: string[]; version?: string } = {},
) => ({
  group,
  version: more.version ?? "v1",
  kind: name,
  plural: `${name.toLowerCase()}s`,
  namespaced: more.namespaced ?? true,
  verbs: more.verbs ?? ["list", "get"],
  subresources: [],
});

describe("listableKinds", () => {
  it("looks last at what people create most", () => {
    const kinds = [
      kind("", "ConfigMap"),
      kind("team.example", "Widget"),
      kind("apps", "Deployment"),
      kind("policy", "X"),
    ];

    expect(listableKinds(kinds).map(k => k.kind)).toEqual(["Widget", "X", "ConfigMap", "Deployment"]);
  });

  it("takes one version of a kind, and leaves out what is not in namespaces, cannot be listed, or is only a record", () => {
    const kinds = [
      kind("team.example", "Widget"),
      kind("team.example", "Widget", { version: "v1beta1" }),
      kind("", "Node", { namespaced: false }),
      kind("", "Binding", { verbs: ["create"] }),
      kind("", "Event"),
      kind("coordination.k8s.io", "Lease"),
    ];

    expect(listableKinds(kinds)).toEqual([kinds[0]]);
  });
});
