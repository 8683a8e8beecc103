// Which policies would count, if some from files were applied as well?
import type { KubeObject } from "../../crds/object.js";
import { ClusterOverridePolicy } from "../../crds/cluster-override-policy.js";
import { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import { OverridePolicy } from "../../crds/override-policy.js";
import { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { OverrideCandidate } from "../../lib/domain/overrides.js";
import { choosePolicy, whyUnclaimed, type Candidate } from "../../lib/domain/policy-choice.js";
import type { KubeClient } from "../../lib/kube/client.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import {
  CLUSTER_OVERRIDE_POLICIES,
  CLUSTER_PROPAGATION_POLICIES,
  OVERRIDE_POLICIES,
  PROPAGATION_POLICIES,
} from "../../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import { EXIT, Problem } from "../problem.js";

/** All that decides where a template goes and how it looks there. */
export interface Policies {
  readonly propagation: readonly Candidate<AnyPolicy>[];
  readonly overrides: readonly OverrideCandidate[];
}

const GROUP = "policy.karmada.io/";
const SCHEMAS = { PropagationPolicy, ClusterPropagationPolicy, OverridePolicy, ClusterOverridePolicy };
type PolicyKind = keyof typeof SCHEMAS;

const RESOURCES: Readonly<Record<PolicyKind, ApiResource>> = {
  PropagationPolicy: PROPAGATION_POLICIES,
  ClusterPropagationPolicy: CLUSTER_PROPAGATION_POLICIES,
  OverridePolicy: OVERRIDE_POLICIES,
  ClusterOverridePolicy: CLUSTER_OVERRIDE_POLICIES,
};

/** True for what says where objects go or how they look there; everything else may be a template. */
export function isPolicy({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion.startsWith(GROUP) && isPolicyKind(kind);
}

function isPolicyKind(kind: string): kind is PolicyKind {
  return kind in SCHEMAS;
}

/** The policies of the host, and those of files in their place or beside them. @throws Problem for a wrong one; KubeError */
export async function readPolicies(host: KubeClient, files: readonly KubeObject[] = []): Promise<Policies> {
  const kinds: readonly PolicyKind[] = [
    "PropagationPolicy",
    "ClusterPropagationPolicy",
    "OverridePolicy",
    "ClusterOverridePolicy",
  ];
  const byKey = new Map((await list(host, kinds)).map(policy => [keyOf(policy), policy]));
  for (const file of files) byKey.set(keyOf(file), replaced(byKey.get(keyOf(file)), checked(file)));
  const all = [...byKey.values()];
  return { propagation: all.flatMap(propagationOf), overrides: all.flatMap(overrideOf) };
}

async function list(host: KubeClient, kinds: readonly PolicyKind[]): Promise<KubeObject[]> {
  const live = await Promise.all(kinds.map(kind => new ResourceClient(host, RESOURCES[kind]).list()));
  return live.flatMap(({ items }) => items);
}

/** Says why no policy claims an object of the host, although one selects it. @throws KubeError when policies cannot be read */
export async function readWhyUnclaimed(host: KubeClient): Promise<(object: KubeObject) => string | undefined> {
  const policies = await list(host, ["PropagationPolicy", "ClusterPropagationPolicy"]);
  const propagation = policies.flatMap(propagationOf);
  return object => whyUnclaimed(choosePolicy(object, propagation));
}

/** An edit keeps the permanent id, by which a claim knows its policy. */
function replaced(live: KubeObject | undefined, file: KubeObject): KubeObject {
  if (!live) return file;
  return {
    ...file,
    metadata: { ...live.metadata, ...file.metadata, labels: { ...live.metadata.labels, ...file.metadata.labels } },
  };
}

function checked(policy: KubeObject): KubeObject {
  if (!isPolicyKind(policy.kind)) return policy;
  const parsed = SCHEMAS[policy.kind].safeParse(policy);
  if (parsed.success) return policy;
  const [issue] = parsed.error.issues;
  const { name } = policy.metadata;
  throw new Problem(
    `${policy.kind} ${name}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`,
    "kubectl apply --dry-run=server tells of everything that is wrong in it",
    EXIT.usage,
  );
}

function keyOf({ kind, metadata: { namespace = "", name } }: KubeObject): string {
  return `${kind}|${namespace}|${name}`;
}

// What the API server or a schema has checked has the shape that its kind says.
function propagationOf(policy: KubeObject): readonly Candidate<AnyPolicy>[] {
  const { kind } = policy;
  if (kind !== "PropagationPolicy" && kind !== "ClusterPropagationPolicy") return [];
  return [{ kind, policy: policy as unknown as AnyPolicy }];
}

function overrideOf(policy: KubeObject): readonly OverrideCandidate[] {
  const { kind } = policy;
  if (kind !== "OverridePolicy" && kind !== "ClusterOverridePolicy") return [];
  return [{ ...(policy as unknown as OverrideCandidate), kind }];
}
