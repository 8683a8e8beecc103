// How do workloads and their Pods do in a member, and do they suffer?
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { PODS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { readOwnedPods } from "../rollback/owned-pods.js";
import { mayHavePods } from "../rollback/pods.js";
import { grouped, readNamed } from "../rollback/read.js";
import { objectKey } from "../view/adoption.js";

/** One Pod. */
export interface PodState {
  readonly uid: string;
  readonly ready: boolean;
  readonly restarts: number;
}

/** One workload. */
export interface Health {
  readonly uid: string;
  readonly pods: readonly PodState[];
  /** Its controller has seen its last edit, and what it rolls out is out. */
  readonly settled: boolean;
  /** How many Pods it asks for; absent where it does not say. */
  readonly replicas?: number;
}

/** By `objectKey`; what is not there is not in it, and neither is what can have no Pods. */
export type Healths = ReadonlyMap<string, Health>;

/** By LISTs of the namespaces where the workloads are. @throws KubeError */
export async function readHealth(member: MemberAccess, objects: readonly KubeObject[]): Promise<Healths> {
  const workloads = objects.filter(mayHavePods);
  const groups = grouped(workloads, ({ apiVersion, kind, metadata }) => `${apiVersion}|${kind}|${metadata.namespace}`);
  const found = await mapLimited(groups, async group => {
    const client = member.objects(group[0]);
    const live = client
      ? await readNamed(
          client,
          group.map(({ metadata }) => metadata),
        )
      : [];
    return live.map(one => ({ ...one, apiVersion: group[0].apiVersion, kind: group[0].kind }));
  });
  const live = found.flat();
  const pods = await podsOf(member, live);
  return new Map(live.map(one => [objectKey(one), healthOf(one, pods.get(one.metadata.uid ?? "") ?? [])]));
}

async function podsOf(
  member: MemberAccess,
  workloads: readonly KubeObject[],
): Promise<ReadonlyMap<string, readonly PodState[]>> {
  const client = new ResourceClient(member.client, PODS);
  const { pods, byWorkload } = await readOwnedPods(
    member,
    workloads,
    async namespace => (await client.list({}, namespace)).items,
  );
  const states = new Map(pods.map(pod => [pod.metadata.uid ?? "", podState(pod)]));
  const alone = workloads
    .filter(({ kind }) => kind === "Pod")
    .map(({ metadata: { uid = "" } }) => [uid, [uid]] as const);
  return new Map([...byWorkload, ...alone].map(([uid, own]) => [uid, own.flatMap(pod => states.get(pod) ?? [])]));
}

function podState({ metadata, status }: KubeObject): PodState {
  const conditions = listAt(status, "conditions");
  const containers = listAt(status, "containerStatuses");
  const restarts = containers.map(container => Number(container["restartCount"] ?? 0)).reduce((a, b) => a + b, 0);
  const ready = conditions.some(({ type, status: word }) => type === "Ready" && word === "True");
  return { uid: metadata.uid ?? "", ready: ready && !metadata.deletionTimestamp, restarts };
}

function listAt(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function healthOf({ metadata, spec, status }: KubeObject, pods: readonly PodState[]): Health {
  const replicas = numberAt(spec, "replicas");
  const isSeen = (numberAt(status, "observedGeneration") ?? Infinity) >= (metadata.generation ?? 0);
  const settled = isSeen && isRolledOut(status);
  return { uid: metadata.uid ?? "", pods, settled, ...(replicas !== undefined && { replicas }) };
}

/** Kinds that do not count have nothing to roll out. */
function isRolledOut(status: unknown): boolean {
  const updated = numberAt(status, "updatedReplicas") ?? numberAt(status, "updatedNumberScheduled") ?? Infinity;
  const total = numberAt(status, "replicas") ?? numberAt(status, "currentNumberScheduled") ?? 0;
  return updated >= total;
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === "number" ? found : undefined;
}

/** What to hold a workload to. */
export interface Expectation {
  readonly before: Health;
  /** Its Pods are to be replaced: what they are made of changes. */
  readonly rollsOut: boolean;
}

/** `fine` · `waits`: not yet as before, which may pass · `suffers`: it will not pass. */
export type Judgement = { readonly state: "fine" } | { readonly state: "waits" | "suffers"; readonly why: string };

/** Compares how a workload does with how it did. Pure. */
export function judgeHealth({ before, rollsOut }: Expectation, now: Health | undefined): Judgement {
  if (!now) return { state: "suffers", why: "it is not there any more" };
  if (now.uid !== before.uid) return { state: "suffers", why: "it is another object than before" };
  return rollsOut ? judgeRollout(before, now) : judgePods(before, now);
}

function judgeRollout(before: Health, now: Health): Judgement {
  if (!now.settled) return { state: "waits", why: "it is still rolling out" };
  const [old, ready] = [readyIn(before), readyIn(now)];
  return ready >= old ? { state: "fine" } : { state: "waits", why: `${ready} of its Pods are ready, and ${old} were` };
}

function judgePods(before: Health, now: Health): Judgement {
  const byUid = new Map(now.pods.map(pod => [pod.uid, pod]));
  const lost = lostPods(before, now);
  if (lost) return { state: "suffers", why: lost };
  const restarted = before.pods.filter(({ uid, restarts }) => (byUid.get(uid)?.restarts ?? 0) > restarts).length;
  if (restarted > 0) return { state: "suffers", why: `${restarted} of its Pods restarted` };
  if (!now.settled && before.settled) return { state: "waits", why: "its controller has not seen it yet" };
  const ill = before.pods.filter(({ uid, ready }) => ready && byUid.get(uid)?.ready === false).length;
  return ill > 0 ? { state: "waits", why: `${ill} of its Pods are not ready any more` } : { state: "fine" };
}

/** A Pod less because somebody asks for less, or because it had ended, is none that suffers. */
function lostPods(before: Health, now: Health): string | undefined {
  const there = new Set(now.pods.map(({ uid }) => uid));
  const known = new Set(before.pods.map(({ uid }) => uid));
  const gone = before.pods.filter(({ uid }) => !there.has(uid)).length;
  if (gone === 0) return undefined;
  if (now.pods.some(({ uid }) => !known.has(uid))) return `${gone} of its Pods were replaced`;
  return now.replicas !== undefined && now.replicas >= before.pods.length ? `${gone} of its Pods are gone` : undefined;
}

function readyIn({ pods }: Health): number {
  return pods.filter(({ ready }) => ready).length;
}
