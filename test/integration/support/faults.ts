// How does a test break a process of running clusters, and find everything whole again afterwards?
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, inject, onTestFinished } from "vitest";
import type { Cluster } from "../../../crds/cluster.js";
import { kill, readEnv, start, stop, up, type Env } from "../../../hack/clusters/index.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { eventually } from "./eventually.js";
import { MEMBERS, Shop } from "./shop.js";
import { Site } from "./site.js";

/** The clusters of one file, and what can be done to them. */
export interface Breakable {
  readonly env: () => Env;
  /** A shop of its own for one test, closed when the test ends. */
  openShop(name: string): Promise<Shop>;
  kill(process: string): Promise<void>;
  stop(process: string): Promise<void>;
  start(process: string): Promise<void>;
  /** The process stands still: its port accepts connections and nobody answers. */
  freeze(process: string): void;
  thaw(process: string): void;
  /** Kills the operator, starts it, and waits until it leads again: a crashed one's Lease has to run out. */
  killOperator(): Promise<void>;
  /** Waits until the operator sees a member as wanted. */
  untilReady(member: string, wanted?: "True" | "False"): Promise<number>;
}

/** Brings the clusters up if no file has yet; after each test every process runs again and both members are ready. */
export function breakable(): Breakable {
  const dir = (): string => inject("breakable");
  const env = (): Env => readEnv(dir());
  const frozen = new Set<string>();

  const tool: Breakable = {
    env,
    async openShop(name) {
      const shop = await Shop.open(env(), name);
      onTestFinished(() => shop.close());
      return shop;
    },
    kill: async process => void (await kill(dir(), process)),
    stop: async process => void (await stop(dir(), process)),
    start: async process => void (await start(dir(), process)),
    freeze(name) {
      process.kill(pidOf(name), "SIGSTOP");
      frozen.add(name);
    },
    thaw(name) {
      if (frozen.delete(name)) process.kill(pidOf(name), "SIGCONT");
    },
    async killOperator() {
      const before = await leaderOf(env());
      await tool.kill("watcher");
      await tool.start("watcher");
      await eventually("the operator leads again", async () => (await leaderOf(env())) !== before, 30_000);
    },
    untilReady: (member, wanted = "True") => untilReady(env(), member, wanted),
  };

  function pidOf(name: string): number {
    const pid = env().pids[name];
    if (pid === undefined) throw new Error(`${name} does not run`);
    return pid;
  }

  beforeAll(async () => {
    if (!existsSync(join(dir(), "env.json"))) await up({ dir: dir(), members: 2, operator: true });
  });

  afterEach(async () => {
    for (const name of [...frozen]) tool.thaw(name);
    for (const name of ["host-apiserver", "member1-apiserver", "member2-apiserver", "watcher"]) await tool.start(name);
    for (const member of MEMBERS) await tool.untilReady(member);
  });

  return tool;
}

async function leaderOf(env: Env): Promise<string | undefined> {
  const host = Site.of(env, "host");
  try {
    const lease = await host.find({ kind: "Lease", namespace: "holdfast-system", name: "holdfast-watcher" });
    return (lease?.["spec"] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  } finally {
    await host.close();
  }
}

async function untilReady(env: Env, member: string, wanted: "True" | "False"): Promise<number> {
  const host = Site.of(env, "host");
  const began = performance.now();
  try {
    await eventually(
      `cluster ${member} is Ready=${wanted}`,
      async () => {
        const cluster = (await host.find({ kind: "Cluster", name: member })) as Cluster | undefined;
        return cluster && conditionOf(cluster, "Ready")?.status === wanted;
      },
      45_000,
    );
  } finally {
    await host.close();
  }
  return performance.now() - began;
}
