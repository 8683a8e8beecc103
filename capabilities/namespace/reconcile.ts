// Removes or lets go of a namespace that we made in a member, once nothing needs it.
import type { KubeObject } from "../../crds/object.js";
import { FIELD_MANAGER } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { releasePatch } from "../../lib/domain/release.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { WORKS_BY_ID, WORKS_BY_NAMESPACE } from "../../lib/kube/host.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { isOurNamespace, isSystemNamespace, namespaceWorkId } from "../../lib/kube/member-namespace.js";
import { objectPath } from "../../lib/kube/resource.js";
import { contentsOf } from "../../lib/kube/namespace-contents.js";
import { parseKey, targetNamespaces } from "./keys.js";
import { planNeed, planRemoval, planWord, type Removal } from "./plan.js";
import { removeEmpty } from "./remove.js";
import type { NamespaceWords } from "./words.js";

/** Milliseconds. */
export interface NamespaceTimes {
  /** How long things that are being deleted are waited for, before the namespace is let go with them in it. */
  readonly patienceMs: number;
  /** Between two looks meanwhile: nothing tells us when a Pod of somebody's Deployment has ended. */
  readonly againMs: number;
}

/** Pods are given 30 s to end. */
export const NAMESPACE_TIMES: NamespaceTimes = { patienceMs: 45_000, againMs: 2_000 };

/** The key names a member and a namespace. Does nothing while the member is not ready: its return wakes us. */
export function namespaceReconciler(deps: Dependencies, times: NamespaceTimes, words: NamespaceWords): Reconciler {
  const { host, members, events, log } = deps;
  // Since when a namespace has been waited for. Lost with the process: then the patience starts anew.
  const waiting = new Map<string, number>();

  return async function reconcileNamespace(key, signal): Promise<Result> {
    const { cluster, name } = parseKey(key);
    await words.settle(cluster, name);
    const member = members.get(cluster);
    const namespace = member?.ready ? await markedNamespace(member, name, signal) : undefined;
    if (!member || !namespace || !mayDecide(cluster, name)) {
      waiting.delete(key);
      return {};
    }
    const kept = await keptBy(cluster, name);
    if (kept) {
      waiting.delete(key);
      await keep(member, name, kept);
      return {};
    }
    const plan = planRemoval(await contentsOf(member.client, member.discovery, name), isPatient(key));
    if (plan.action === "wait") return { requeueAfterMs: times.againMs };
    waiting.delete(key);
    return carryOut(plan, member, namespace);
  };

  async function keptBy(cluster: string, name: string): Promise<string | undefined> {
    const object = host.clusters.get(cluster);
    const word = planWord(object && (await words.about(object, name)));
    return word.keep ? word.why : undefined;
  }

  async function keep(member: Member, name: string, why: string): Promise<void> {
    if (!(await release(member, name, why))) return;
    const cluster = host.clusters.get(member.name);
    const note = `namespace ${name} stays in ${member.name}, free of every mark: ${why}`;
    if (cluster) events.normal(cluster, "ResourcesPreserved", note);
  }

  function isPatient(key: string): boolean {
    const since = waiting.get(key) ?? performance.now();
    waiting.set(key, since);
    return performance.now() - since < times.patienceMs;
  }

  async function carryOut(
    plan: Exclude<Removal, { action: "wait" }>,
    member: Member,
    namespace: KubeObject,
  ): Promise<Result> {
    const { name } = namespace.metadata;
    // Looking takes a while; somebody may need the namespace again.
    if (!mayDecide(member.name, name)) return {};
    if (plan.action === "release") await release(member, name, plan.why);
    else return remove(member, namespace);
    return {};
  }

  async function markedNamespace(member: Member, name: string, signal: AbortSignal): Promise<KubeObject | undefined> {
    const collection = member.objects(NAMESPACES);
    await collection.whenSynced(signal);
    const namespace = collection.get(name);
    if (!namespace || isSystemNamespace(name) || !isOurNamespace(member.name, namespace)) return undefined;
    return namespace.metadata.deletionTimestamp ? undefined : namespace;
  }

  function mayDecide(cluster: string, name: string): boolean {
    const leaving = host.clusters.get(cluster)?.metadata.deletionTimestamp;
    const known = [host.clusters, host.namespaces, host.works].every(({ store }) => store.synced);
    if (!known || !host.clusters.get(cluster)) return false;
    const onHost = host.namespaces.get(name) !== undefined;
    return planNeed({ onHost, clusterLeaving: leaving !== undefined, works: worksFor(cluster, name) }).decide;
  }

  function worksFor(cluster: string, name: string): number {
    const { store } = host.works;
    const ofNamespace = store.byIndex(WORKS_BY_ID, namespaceWorkId(cluster, name)).length;
    const works = store.byIndex(WORKS_BY_NAMESPACE, executionNamespace(cluster));
    return ofNamespace + works.filter(work => targetNamespaces(work).includes(name)).length;
  }

  async function remove(member: Member, { metadata }: KubeObject): Promise<Result> {
    const { name, uid, resourceVersion } = metadata;
    const removed = await removeEmpty({
      lookAgain: () => contentsOf(member.client, member.discovery, name, true),
      delete: () => member.namespaces.delete({ name }, { uid, resourceVersion }),
    });
    if (removed.outcome === "occupied") return { requeueAfterMs: 0 };
    if (removed.outcome === "refused") await release(member, name, removed.why);
    else log.info("empty member namespace deleted", { cluster: member.name, namespace: name, ...removed });
    return {};
  }

  /** Takes every mark of ours off; the namespace and all that is in it stay. False when there was nothing to take off. */
  async function release(member: Member, name: string, why: string): Promise<boolean> {
    const live = await member.namespaces.find({ name });
    const patch = live && isOurNamespace(member.name, live) ? releasePatch(live) : undefined;
    if (!patch) return false;
    const query = { fieldManager: FIELD_MANAGER };
    await member.client.request("PATCH", objectPath(NAMESPACES, { name }), { body: patch, patch: "json", query });
    log.info("member namespace let go", { cluster: member.name, namespace: name, why });
    return true;
  }
}
