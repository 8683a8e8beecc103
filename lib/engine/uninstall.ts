// What does Holdfast do before it is uninstalled? It takes its finalizers off people's objects, and touches no member.
import type { KubeClient } from "../kube/client.js";
import { discover } from "../kube/discovery.js";
import { isNotFound, messageOf } from "../kube/errors.js";
import { groupKindOf, ResourceClient, type ApiResource } from "../kube/resource.js";
import { pause } from "../kube/pause.js";
import { findHeld, letGoOf, type HeldObject } from "./finalizers.js";
import { LEASES, type Lease } from "./lease-object.js";
import type { Logger } from "./log.js";
import { letDeletionsFinish, namesOf } from "./pending-deletions.js";

/** Where the operator is, and how long all of it may take, in milliseconds. */
export interface UninstallOptions {
  readonly namespace: string;
  readonly withinMs: number;
  readonly lease: string;
  /** The Deployment of the watchers. */
  readonly watcher: string;
}

/** How many objects were let go of, by kind (`apps/Deployment`), and what could not be done. */
export interface UninstallReport {
  readonly released: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

interface Running {
  readonly replicas?: number;
}

const DEPLOYMENTS: ApiResource = {
  ...{ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
};
const LOOK_MS = 1_000;
/** A leader that does not give its Lease back: it is dead, and the Lease runs out. */
const LEASE_MS = 10_000;
const PASSES = 3;
const AT_ONCE = 8;

/**
 * Lets the watcher finish deletions that were accepted, ends the watchers, then takes the finalizers off. Never throws: what
 * cannot be done in time is told, and the release goes all the same. Members are not asked for anything.
 */
export async function uninstall(client: KubeClient, log: Logger, options: UninstallOptions): Promise<UninstallReport> {
  const released: Record<string, number> = {};
  const problems: string[] = [];
  const signal = AbortSignal.timeout(options.withinMs);
  const third = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(options.withinMs / 3)]);
  // One that fails keeps no other from being tried.
  const attempt = async (job: () => Promise<unknown>): Promise<void> => {
    try {
      await job();
    } catch (error) {
      problems.push(signal.aborted ? `not done within ${options.withinMs / 1000} s` : messageOf(error));
    }
  };
  await attempt(() => letDeletionsFinish(client, log, third()));
  await attempt(() => endWatchers(client, options, third()));
  for (let pass = 0; pass < PASSES && !signal.aborted; pass++) {
    let isDone = false;
    await attempt(async () => {
      const { held, unread } = await findHeld(client, (await discover(client)).resources, signal);
      if (pass === 0) problems.push(...unread);
      isDone = held.length === 0 && unread.length === 0;
      problems.push(...(await releaseAll(client, held, released, signal)));
    });
    if (isDone) break;
  }
  return { released, problems };
}

/** A watcher that works would put every finalizer on again. */
async function endWatchers(client: KubeClient, options: UninstallOptions, signal: AbortSignal): Promise<void> {
  const { namespace, watcher } = options;
  const deployments = new ResourceClient(client, DEPLOYMENTS);
  try {
    await deployments.mergePatch({ namespace, name: watcher }, { spec: { replicas: 0 } }, undefined, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  let renewed: string | undefined;
  let since = performance.now();
  for (;;) {
    const renewal = await lastSign(client, options, signal);
    if (renewal === undefined) return;
    if (renewal !== renewed) since = performance.now();
    if (performance.now() - since > LEASE_MS) return;
    renewed = renewal;
    await pause(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

/**
 * What changes as long as a watcher works; `undefined`: none does. One that still runs could take a Lease that another one has
 * just given back.
 */
async function lastSign(
  client: KubeClient,
  { namespace, watcher, lease }: UninstallOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deployment = await new ResourceClient(client, DEPLOYMENTS).find({ namespace, name: watcher }, signal);
  const { replicas } = (deployment?.["status"] ?? {}) as Running;
  const found = await new ResourceClient<Lease>(client, LEASES).find({ namespace, name: lease }, signal);
  const { holderIdentity, renewTime } = found?.spec ?? {};
  return holderIdentity || replicas ? `${replicas} ${holderIdentity} ${renewTime}` : undefined;
}

async function releaseAll(
  client: KubeClient,
  held: readonly HeldObject[],
  released: Record<string, number>,
  signal: AbortSignal,
): Promise<string[]> {
  const problems: string[] = [];
  const open = [...held];
  const release = async (): Promise<void> => {
    for (let object = open.shift(); object; object = open.shift()) {
      signal.throwIfAborted();
      const why = await letGoOf(client, object);
      const kind = groupKindOf(object.resource);
      if (why === undefined) released[kind] = (released[kind] ?? 0) + 1;
      else problems.push(`${namesOf([object]).join("")}: ${why}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, release));
  return problems;
}
