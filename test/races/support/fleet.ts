// How do clusters with two operators come up, and how is each of their processes broken and mended?
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../../crds/cluster.js";
import { STALLED_MS } from "../../../capabilities/cluster/leave.js";
import { down, kill, readEnv, start, stop, up } from "../../../hack/clusters/index.js";
import { freePorts } from "../../../hack/clusters/ports.js";
import { readState, saveState, type State } from "../../../hack/clusters/state.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { eventually } from "../../integration/support/eventually.js";
import { rejoin } from "../../integration/support/rejoin.js";
import { Site } from "../../integration/support/site.js";
import { MEMBERS, type Member } from "../model/commands.js";

/** A Cluster that leaves may stand still for as long as the operator lets it; a minute on top of that is for everything else. */
const HEALED_MS = STALLED_MS + 60_000;

const HOST_CONTROLLERS_MS = 240_000;

/** The two operators: one leads, the other waits for its Lease. */
export const OPERATORS = ["watcher", "watcher2"] as const;
export type Operator = (typeof OPERATORS)[number];

const LEASE = { kind: "Lease", namespace: "holdfast-system", name: "holdfast-watcher" };
const ALL = ["host-apiserver", "member1-apiserver", "member2-apiserver", "admission", ...OPERATORS];

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
}

/** One set of clusters. */
export class Fleet {
  readonly #frozen = new Set<string>();
  readonly host: Site;

  private constructor(readonly dir: string) {
    this.host = Site.of(readEnv(dir), "host");
  }

  static async up(dir: string): Promise<Fleet> {
    await up({ dir, members: MEMBERS.length, operator: true, nodes: false, say: () => undefined });
    await addStandby(dir);
    return new Fleet(dir);
  }

  get env() {
    return readEnv(this.dir);
  }

  async down(): Promise<void> {
    await this.host.close();
    await down(this.dir);
  }

  kill(name: string): Promise<unknown> {
    return kill(this.dir, name);
  }

  stop(name: string): Promise<unknown> {
    return stop(this.dir, name);
  }

  start(name: string): Promise<unknown> {
    return start(this.dir, name);
  }

  /** The process stands still; nothing happens if it does not run. */
  freeze(name: string): void {
    if (signal(this.env.pids[name], "SIGSTOP")) this.#frozen.add(name);
  }

  thaw(name: string): void {
    if (this.#frozen.delete(name)) signal(this.env.pids[name], "SIGCONT");
  }

  /** The operator that leads as far as the host knows; `undefined` when that cannot be told. */
  async leader(): Promise<Operator | undefined> {
    const identity = (await this.#lease().catch(() => undefined))?.holderIdentity;
    return identity === undefined ? undefined : OPERATORS.find(name => this.log(name).includes(identity));
  }

  log(operator: Operator): string {
    return readFileSync(join(this.dir, "logs", `${operator}.log`), "utf8");
  }

  /** Everything runs again and is reachable: an operator leads, sees its members as ready, and has let those go that left. */
  async heal(departed: readonly Member[] = []): Promise<void> {
    for (const name of [...this.#frozen]) this.thaw(name);
    for (const name of ALL) await this.start(name);
    await this.untilLed();
    await eventually("the members are ready", () => this.#areAsTheyShould(departed), HEALED_MS);
  }

  /**
   * Waits until the host's own controllers act again. Theirs is the last word about a namespace, and after an API server
   * was away they have been seen to take a hundred seconds.
   */
  async untilTidied(): Promise<void> {
    const name = `probe-${randomUUID().slice(0, 8)}`;
    await this.host.applyObject({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await this.host.delete({ kind: "Namespace", name });
    const isGone = async (): Promise<boolean> => (await this.host.find({ kind: "Namespace", name })) === undefined;
    await eventually("the host's controllers tidy namespaces up", isGone, HOST_CONTROLLERS_MS);
  }

  /** Joins a member again whose Cluster is gone. */
  async join(member: Member): Promise<void> {
    await rejoin(this.env, member);
    await eventually(`${member} is ready again`, () => this.#isReady(member), 60_000);
  }

  /** Waits until some operator has renewed its Lease since now. */
  async untilLed(): Promise<void> {
    const now = Date.now();
    await eventually("an operator leads", async () => Date.parse((await this.#lease())?.renewTime ?? "") > now, 60_000);
  }

  async #areAsTheyShould(departed: readonly Member[]): Promise<boolean> {
    for (const name of departed) {
      const left = (await this.host.find({ kind: "Cluster", name })) as Cluster | undefined;
      if (left) throw new Error(`${name} has not left: ${JSON.stringify(left.status?.conditions)}`);
    }
    for (const name of MEMBERS.filter(one => !departed.includes(one))) await this.#isReady(name);
    return true;
  }

  async #isReady(name: Member): Promise<boolean> {
    const ready = conditionOf((await this.host.find({ kind: "Cluster", name })) as Cluster | undefined, "Ready");
    if (ready?.status !== "True") throw new Error(`${name} is not ready: ${JSON.stringify(ready)}`);
    return true;
  }

  async #lease(): Promise<LeaseSpec | undefined> {
    return (await this.host.find(LEASE))?.["spec"] as LeaseSpec | undefined;
  }

  /** The host's API server forgets all revisions before now, as it does every five minutes. */
  async compactHistory(): Promise<void> {
    const probe = readState(this.dir)?.processes["etcd"]?.probe.url ?? "";
    const ask = async (path: string, body: unknown): Promise<{ readonly header?: { readonly revision?: string } }> => {
      const answer = await fetch(`${new URL(probe).origin}/v3/kv/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { header?: { revision?: string } };
    };
    const { header } = await ask("range", { key: Buffer.from("/none").toString("base64") });
    await ask("compaction", { revision: header?.revision, physical: true });
    await sleep(0);
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended by itself, as an operator does that has lost its Lease.
    return false;
  }
}

/** A second operator, as in a Deployment with two replicas. */
async function addStandby(dir: string): Promise<void> {
  const state = readState(dir);
  const first = state?.processes["watcher"];
  if (!state || !first) throw new Error(`${dir}: no operator here`);
  const [port, metrics] = await freePorts(2);
  const { pid: _pid, startTime: _startTime, ...spec } = first;
  const standby: State["processes"][string] = {
    ...spec,
    log: join(dir, "logs", "watcher2.log"),
    probe: { ...spec.probe, url: `https://127.0.0.1:${port}/healthz` },
    env: { ...spec.env, PORT: String(port), HOLDFAST_METRICS_PORT: String(metrics) },
  };
  saveState({ ...state, processes: { ...state.processes, watcher2: standby } });
  await start(dir, "watcher2");
}
