// What stands around the objects of a round trip: the kinds of their own, the policies, and the clearing up.
import type { KubeObject } from "../../../crds/object.js";
import { kubectl, type Side } from "./case-kubectl.js";
import { clusterPolicy, onto, policy } from "./case-objects.js";
import type { WidgetKind } from "./case-widgets.js";
import { yaml } from "./round-trip.js";
import type { Row } from "./round-trip-objects.js";

/** A kind of our own, with a schema of its values or without. */
export function definition({ group, plural, kind }: WidgetKind, withSchema: boolean): KubeObject {
  const properties = { spec: { type: "object", properties: { size: { type: "string" }, color: { type: "string" } } } };
  const schema = withSchema
    ? { type: "object", properties }
    : { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** The policies that take every row over, and let go of it. */
export function policiesFor(namespace: string, member: string, rows: readonly Row[]): KubeObject[] {
  const selector = ({ object }: Row) => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
  });
  const spec = (selected: readonly Row[]) => ({
    resourceSelectors: selected.map(selector),
    placement: onto(member),
    conflictResolution: "Overwrite",
    preserveResourcesOnDeletion: true,
  });
  const wide = rows.filter(({ object }) => !object.metadata.namespace);
  return [
    policy(namespace, "rt", spec(rows.filter(({ object }) => object.metadata.namespace))),
    clusterPolicy(`rt-${namespace}`, spec(wide)),
  ];
}

/** Takes away what one trip has made on both sides. */
export async function cleanUp(namespace: string, member: Side, objects: readonly KubeObject[]): Promise<void> {
  await kubectl("host", ["delete", "cpp", `rt-${namespace}`, "--wait=false", "--ignore-not-found"]);
  await kubectl("host", ["delete", "namespace", namespace, "--wait=false", "--ignore-not-found"]);
  const wide = objects.filter(({ metadata }) => !metadata.namespace);
  await kubectl(member, ["delete", "--wait=false", "--ignore-not-found", "-f", "-"], yaml(wide));
  await kubectl(member, ["delete", "namespace", namespace, "--wait=false"]);
}
