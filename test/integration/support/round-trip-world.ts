// What stands around the objects of a round trip: the kinds of their own, the policies, and the clearing up.
import { afterAll, beforeAll } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { applied, kubectl, type Side } from "./case-kubectl.js";
import { clusterPolicy, onto, policy } from "./case-objects.js";
import { definition, freshKind, schemaOf, type WidgetKind } from "./case-widgets.js";
import { told, yaml } from "./round-trip.js";
import type { Row } from "./round-trip-objects.js";

/** Two kinds of our own, with a schema of their values and without; on both sides for as long as the file runs. */
export function widgetKindsOn(member: Side): { readonly withSchema: WidgetKind; readonly withoutSchema: WidgetKind } {
  const kinds = { withSchema: freshKind(), withoutSchema: freshKind() };
  const sides: readonly Side[] = ["host", member];

  beforeAll(async () => {
    const all = [definition(kinds.withSchema, SCHEMA), definition(kinds.withoutSchema, ANYTHING)];
    for (const side of sides) {
      await applied(side, ...all);
      const names = all.map(({ metadata }) => metadata.name);
      await told(side, ["wait", "--for=condition=Established", "crd", ...names, "--timeout=30s"]);
    }
  });

  afterAll(async () => {
    for (const { group, plural } of Object.values(kinds)) {
      for (const side of sides) await kubectl(side, ["delete", "crd", `${plural}.${group}`, "--wait=false"]);
    }
  });
  return kinds;
}

const SCHEMA = schemaOf(["size", "color"]);
const ANYTHING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

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
