// Brings back all that a plan has moved, and then removes what the plan put around it.
import type { KubeObject } from "../../crds/object.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { isConflict } from "../../lib/kube/errors.js";
import {
  CLUSTER_PROPAGATION_POLICIES,
  CLUSTER_RESOURCE_BINDINGS,
  NAMESPACES,
  PROPAGATION_POLICIES,
  RESOURCE_BINDINGS,
} from "../../lib/kube/kinds.js";
import { contentsOf } from "../../lib/kube/namespace-contents.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import type { Progress } from "../output/progress.js";
import {
  referenceOf,
  type Proof,
  type Remembered,
  type RollbackOptions,
  type TemplateName,
} from "../rollback/request.js";
import { rollBack } from "../rollback/roll-back.js";
import { templatesOf } from "../rollback/standing.js";
import { objectKey } from "../view/adoption.js";
import { readBefore, remember, type Before } from "./record.js";
import type { PlannedObject } from "./report.js";
import { isFromMigration } from "./verdict.js";
import { titleOf } from "../../lib/domain/title.js";

/** What to bring back. */
export interface BackRequest {
  readonly dir: string;
  readonly cluster: string;
  readonly objects: readonly PlannedObject[];
  readonly options: Pick<RollbackOptions, "restore" | "force" | "stillMs">;
}

/** Templates first, and what defines their kinds last. @throws KubeError */
export async function bringBack(fleet: Fleet, request: BackRequest, progress: Progress): Promise<readonly Proof[]> {
  const { dir, cluster, options } = request;
  const known = readBefore(dir);
  const names = await movedNames(fleet, request, known);
  const isDefinition = ({ resource }: TemplateName): boolean => resource.kind === "CustomResourceDefinition";
  const remembered = [...known.values()].map(before => rememberedIn(cluster, before));
  const all: RollbackOptions = {
    ...options,
    remembered,
    remember: seen => {
      remember(dir, newlySeen(seen, cluster, known));
      return Promise.resolve();
    },
  };
  const proofs = [];
  for (const part of [names.filter(name => !isDefinition(name)), names.filter(isDefinition)]) {
    if (part.length > 0) proofs.push(...(await rollBack(fleet, part, all, progress)));
  }
  return proofs;
}

/** A template that nobody has moved is somebody's own, and no business of a migration. */
async function movedNames(
  fleet: Fleet,
  { objects }: BackRequest,
  known: ReadonlyMap<string, Before>,
): Promise<readonly TemplateName[]> {
  const names = objects.flatMap(object => nameIn(fleet, object));
  const templates = await templatesOf(fleet.host.client, names);
  return names.filter(name => {
    const key = objectKey(referenceOf(name));
    const template = templates.get(key);
    return template ? isFromMigration(template) : known.has(key);
  });
}

function nameIn({ discovery }: Fleet, { apiVersion, kind, namespace, name }: PlannedObject): readonly TemplateName[] {
  const resource = discovery.find(apiVersion, kind);
  return resource ? [{ resource, name, ...(namespace !== undefined && { namespace }) }] : [];
}

function rememberedIn(cluster: string, { key, uid, health }: Before): Remembered {
  return { key, cluster, uid, pods: (health?.pods ?? []).map(pod => pod.uid) };
}

/** What a plan's record lacks: it is about one cluster, and a template may have come to others since. Pure. */
export function newlySeen(
  seen: readonly Remembered[],
  cluster: string,
  known: ReadonlyMap<string, Before>,
): readonly Before[] {
  return seen.filter(one => one.cluster === cluster && known.get(one.key)?.uid !== one.uid).map(beforeOf);
}

function beforeOf({ key, uid, pods }: Remembered): Before {
  const states = pods.map(pod => ({ uid: pod, ready: true, restarts: 0 }));
  return { key, uid, ...(pods.length > 0 && { health: { uid, pods: states, settled: true } }) };
}

/** What became of what the plan had put around the templates, in words for a person. */
export interface Cleared {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

/** Policies that nothing follows any more, and Namespaces that a migration made and that are empty. @throws KubeError */
export async function clearAround(fleet: Fleet, objects: readonly KubeObject[]): Promise<Cleared> {
  const removed: string[] = [];
  const kept: string[] = [];
  const inOrder = [...objects].sort((a, b) => Number(a.kind === "Namespace") - Number(b.kind === "Namespace"));
  for (const object of inOrder) {
    const { kind } = object;
    const title = titleOf(object);
    const why = kind === "Namespace" ? await clearNamespace(fleet, object) : await clearPolicy(fleet, object);
    if (why === "") removed.push(title);
    else if (why !== undefined) kept.push(`${title}: ${why}`);
  }
  return { removed, kept };
}

/** Empty: removed; absent: there was none. */
type Why = Promise<string | undefined>;

async function clearPolicy({ host }: Fleet, policy: KubeObject): Why {
  const isNamespaced = policy.kind === "PropagationPolicy";
  const policies = new ResourceClient(host.client, isNamespaced ? PROPAGATION_POLICIES : CLUSTER_PROPAGATION_POLICIES);
  const live = await policies.find(policy.metadata);
  if (!live) return undefined;
  if (!isFromMigration(live)) return "no migration made it";
  const label = isNamespaced ? PP_ID_LABEL : CPP_ID_LABEL;
  const id = live.metadata.labels?.[label];
  const kinds = isNamespaced ? [RESOURCE_BINDINGS] : [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS];
  const lists = await Promise.all(
    kinds.map(kind =>
      new ResourceClient(host.client, kind).list({ labelSelector: `${label}=${id}` }, live.metadata.namespace),
    ),
  );
  const [first] = lists.flatMap(({ items }) => items);
  if (first) return `other templates follow it, such as that of binding ${first.metadata.name}`;
  await policies.delete(live.metadata, { uid: live.metadata.uid });
  return "";
}

async function clearNamespace({ host, discovery }: Fleet, { metadata: { name } }: KubeObject): Why {
  const namespaces = new ResourceClient(host.client, NAMESPACES);
  const live = await namespaces.find({ name });
  if (!live || live.metadata.deletionTimestamp) return undefined;
  if (!isFromMigration(live)) return undefined;
  const { occupants, hidden } = await contentsOf(host.client, discovery, name);
  if (hidden !== undefined) return `whether it is empty is not known: ${hidden}`;
  // Policies are finalized a moment after they were deleted.
  const [first] = occupants.filter(({ groupKind }) => !groupKind.startsWith("policy.karmada.io/"));
  if (first) return `it holds ${first.groupKind.replace(/^\//, "")} ${first.metadata.name}`;
  await namespaces.delete({ name }, { uid: live.metadata.uid }).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
  return "";
}
