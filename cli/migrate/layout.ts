// Where in the directory of a plan is which object?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { fnv1a32 } from "../../lib/domain/names.js";
import { yamlOf } from "../output/format.js";

/** Templates without a namespace; no namespace can be called so. */
export const CLUSTER_DIRECTORY = "_cluster";
/** The Namespaces themselves. */
export const NAMESPACE_DIRECTORY = "namespaces";
/** What apply remembers; not for Git. */
export const STATE_DIRECTORY = ".state";
export const REPORT_JSON = "report.json";
export const REPORT_MD = "report.md";

const LONGEST = 200;

/** `shop/deployment-web.yaml`: legal on every system, and the same for the same object. */
export function pathOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  const { group, kind } = gvkOf(object);
  const isForeign = group.includes(".") && !group.endsWith(".k8s.io");
  const word = `${kind.toLowerCase()}${isForeign ? `.${group}` : ""}`;
  if (group === "" && kind === "Namespace") return `${NAMESPACE_DIRECTORY}/${file(word, name)}`;
  return `${namespace ?? CLUSTER_DIRECTORY}/${file(word, name)}`;
}

/** Names of RBAC objects may hold what no file may be called. */
function file(word: string, name: string): string {
  const plain = `${word}-${encodeURIComponent(name)}`;
  if (plain.length <= LONGEST) return `${plain}.yaml`;
  return `${plain.slice(0, LONGEST - 9)}-${fnv1a32(plain).toString(16).padStart(8, "0")}.yaml`;
}

/** The place of one of a plan's policies. */
export function policyPath(namespace: string | undefined, index: number): string {
  return `${namespace ?? CLUSTER_DIRECTORY}/policy${index === 0 ? "" : `-${index + 1}`}.yaml`;
}

/** The text of one file. */
export function fileOf(object: KubeObject): string {
  return yamlOf(object);
}
