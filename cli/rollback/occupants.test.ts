// Is nothing deleted that would take others with it, or of which nobody knows?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Fleet } from "../access/fleet.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { configMap } from "../view/samples.js";
import { occupantsOf } from "./occupants.js";
import type { Standing } from "./standing.js";

const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.team.example" },
  spec: { names: { kind: "Widget" } },
};
const widget: ServedResource = {
  group: "team.example",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
  verbs: ["get", "list"],
  subresources: [],
};
const other = { ...widget, group: "else.example" };
const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
const configMaps = { ...CONFIG_MAPS, verbs: ["get", "list"], subresources: [] };

interface Given {
  readonly template: KubeObject;
  readonly served: readonly ServedResource[];
  readonly items?: readonly KubeObject[];
}

async function whyNot({ template, served, items = [] }: Given): Promise<string | undefined> {
  const standing: Standing = {
    name: { resource: widget, name: template.metadata.name },
    reference: template,
    template,
    binding: undefined,
    works: [],
  };
  const client = { request: () => Promise.resolve({ metadata: {}, items }) };
  const discovery = { served: { resources: served, complete: true }, refresh: () => Promise.resolve() };
  const fleet = { host: { client }, discovery } as unknown as Fleet;
  return (await occupantsOf(fleet, [standing])).get(standing);
}

describe("occupantsOf", () => {
  it.each`
    what                                           | given                                                                              | why
    ${"a definition with objects"}                 | ${{ template: definition, served: [widget], items: [configMap("one")] }}           | ${"has objects of kind Widget"}
    ${"a definition that the host does not serve"} | ${{ template: definition, served: [other] }}                                       | ${"is not known"}
    ${"a definition without objects"}              | ${{ template: definition, served: [other, widget] }}                               | ${undefined}
    ${"a Namespace with an object"}                | ${{ template: namespace, served: [configMaps], items: [configMap("one")] }}        | ${"it holds ConfigMap one on the host"}
    ${"an empty Namespace"}                        | ${{ template: namespace, served: [configMaps] }}                                   | ${undefined}
    ${"any other template"}                        | ${{ template: configMap("web"), served: [configMaps], items: [configMap("one")] }} | ${undefined}
  `("says $why of $what", async ({ given, why }: { given: Given; why: string | undefined }) => {
    const said = await whyNot(given);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(why);
  });
});
