// How does a case get a kind of its own, in the clusters it says?
import { onTestFinished } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { applied, freshName, kubectl, type Side } from "./case-kubectl.js";

/** The names of a kind. */
export interface WidgetKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** Names that no other test uses. */
export function freshKind(): WidgetKind {
  const word = freshName("w").replace("-", "");
  return { group: `${word}.example`, plural: `${word}s`, kind: `W${word.slice(1)}` };
}

/** A definition that is put into clusters one by one; it leaves them with the test. */
export interface WidgetCrd {
  /** `fields`: the strings that `spec` may have there. */
  into(side: Side, fields?: readonly string[]): Promise<void>;
  outOf(side: Side): Promise<void>;
}

/** A kind whose `spec` has some strings. */
export function installWidgets({ group, plural, kind }: WidgetKind): WidgetCrd {
  const name = `${plural}.${group}`;
  const outOf = async (side: Side): Promise<void> => {
    await kubectl(side, ["delete", "crd", name, "--ignore-not-found", "--wait=false"]);
  };
  return {
    outOf,
    async into(side, fields = ["size", "color"]) {
      onTestFinished(() => outOf(side));
      await applied(side, definition({ group, plural, kind }, schemaOf(fields)));
      await kubectl(side, ["wait", "--for=condition=Established", `crd/${name}`, "--timeout=20s"]);
    },
  };
}

/** A schema by which a spec has text fields of these names. */
export function schemaOf(fields: readonly string[]): object {
  const properties = Object.fromEntries(fields.map(field => [field, { type: "string" }]));
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

/** The CRD of a kind with one version. */
export function definition({ group, plural, kind }: WidgetKind, schema: object): KubeObject {
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

/** One object of the kind. */
export function widget(request: {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly spec?: Readonly<Record<string, string>>;
}): KubeObject {
  const { group, kind, namespace, spec = { size: "large", color: "blue" } } = request;
  return { apiVersion: `${group}/v1`, kind, metadata: { name: "one", namespace }, spec };
}
