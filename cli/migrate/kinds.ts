// Which kinds of a member are looked at, and in which version does the host know them too?
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { apiVersionOf, groupKindOf } from "../../lib/kube/resource.js";
import { EXIT, Problem } from "../problem.js";
import { findKind, kindsOfCategory } from "../target/kinds.js";

/** One kind, in the version in which it is read. */
export interface PlannedKind {
  /** As the member serves it. */
  readonly resource: ServedResource;
  /** As the host serves it; absent when the host does not know it in this version. */
  readonly onHost?: ServedResource;
  /** Versions in which the host knows the kind, when that is none of the member's. */
  readonly hostVersions: readonly string[];
}

/** What is asked for. */
export interface KindChoice {
  /** Words for kinds, such as `deploy`, `cm`, `all`; absent: all of them. */
  readonly words?: readonly string[];
  /** Also kinds without a namespace. */
  readonly clusterWide: boolean;
}

/**
 * Kinds without a namespace that take effect wherever they are, on the host too: they go only when somebody names them.
 * Without such care a copied webhook would judge the host's own requests.
 */
const ACTS_ON_HOST: readonly RegExp[] = [
  /^(admissionregistration|apiregistration|storage|scheduling|node|networking|resource)\.k8s\.io\//,
  /^flowcontrol\.apiserver\.k8s\.io\//,
  /^rbac\.authorization\.k8s\.io\/ClusterRoleBinding$/,
  /^\/PersistentVolume$/,
];

/** The kinds to look at, in the order of the member's discovery. @throws Problem for a word that names none */
export function plannedKinds(
  member: readonly ServedResource[],
  host: readonly ServedResource[],
  { words, clusterWide }: KindChoice,
): readonly PlannedKind[] {
  const named = words && new Set(words.flatMap(word => kindsNamed(member, word)));
  const groups = new Map<string, ServedResource[]>();
  for (const resource of member.filter(isUsable)) {
    const key = groupKindOf(resource);
    groups.set(key, [...(groups.get(key) ?? []), resource]);
  }
  return [...groups]
    .filter(([key, [first]]) => (named ? named.has(key) : first !== undefined && isMeant(first, clusterWide)))
    .flatMap(([, versions]) => chosenVersion(versions, host));
}

function kindsNamed(served: readonly ServedResource[], word: string): readonly string[] {
  const category = kindsOfCategory(served, word.toLowerCase());
  const one = findKind(served, word);
  const kinds = category.length > 0 ? category : one ? [one] : [];
  if (kinds.length === 0) {
    const hint = "write kinds with commas between, such as deploy,svc,cm; kubectl api-resources lists them";
    throw new Problem(`--kinds: the member serves no kind "${word}"`, hint, EXIT.usage);
  }
  return kinds.map(groupKindOf);
}

function isUsable(resource: ServedResource): boolean {
  const { kind, verbs } = resource;
  const isWhole = ["list", "get", "patch", "delete"].every(verb => verbs.includes(verb));
  if (!isWhole || groupKindOf(resource) === "/Namespace") return false;
  // Nothing of some kinds is ever a template, whatever its name.
  return whyNeverTemplate({ apiVersion: apiVersionOf(resource), kind, metadata: { name: "any.any" } }) === undefined;
}

function isMeant(resource: ServedResource, clusterWide: boolean): boolean {
  if (resource.namespaced) return true;
  return clusterWide && !ACTS_ON_HOST.some(pattern => pattern.test(groupKindOf(resource)));
}

/** The first version that both serve; the member's preferred one where there is none. */
function chosenVersion(versions: readonly ServedResource[], host: readonly ServedResource[]): readonly PlannedKind[] {
  const [preferred] = versions;
  if (!preferred) return [];
  const known = host.filter(other => groupKindOf(other) === groupKindOf(preferred) && isUsable(other));
  const hostVersions = known.map(apiVersionOf);
  for (const resource of versions) {
    const onHost = known.find(({ version }) => version === resource.version);
    if (onHost) return [{ resource, onHost, hostVersions }];
  }
  return [{ resource: preferred, hostVersions }];
}
