// Who may write: one process at a time, by a Lease of coordination.k8s.io.
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../kube/client.js";
import { isConflict, isNotFound, messageOf } from "../kube/errors.js";
import { ResourceClient, type ApiResource } from "../kube/resource.js";
import type { Logger } from "./log.js";

const LEASES: ApiResource = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
};

/** Times in milliseconds. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique per process life: a restarted process is another candidate. */
  readonly identity: string;
  /** After so long without a renewal others may take over. */
  readonly durationMs?: number;
  readonly renewMs?: number;
}

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/**
 * Leader election. `mayWrite()` turns false half a duration after the last renewal, long before another candidate may
 * take over, so two processes never write at once even when this one was frozen.
 */
export class LeaderLease {
  readonly #leases: ResourceClient<Lease>;
  readonly #durationMs: number;
  readonly #renewMs: number;
  #renewedAt = -Infinity;
  #seen: { readonly renewTime: string; readonly holder: string; readonly at: number } | undefined;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param client must not itself ask `mayWrite`: the Lease is what is written while we may not write. */
  constructor(
    client: KubeClient,
    readonly options: LeaseOptions,
    readonly log: Logger,
  ) {
    this.#leases = new ResourceClient<Lease>(client, LEASES);
    this.#durationMs = options.durationMs ?? 4_000;
    this.#renewMs = options.renewMs ?? 1_000;
  }

  mayWrite(): boolean {
    return !this.#stopped && performance.now() - this.#renewedAt < this.#durationMs / 2;
  }

  /** Resolves when this process leads for the first time; goes on renewing until `release()`. */
  async lead(onLost: () => void): Promise<void> {
    while (!this.#stopped && !(await this.#try())) await sleep(this.#renewMs);
    this.log.info("leading", { lease: this.options.name, identity: this.options.identity });
    this.#schedule(onLost);
  }

  /** Gives the Lease back, so that the next process need not wait for it to expire. */
  async release(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    try {
      const lease = await this.#leases.find(this.options);
      if (lease?.spec?.holderIdentity !== this.options.identity) return;
      const { resourceVersion } = lease.metadata;
      await this.#leases.mergePatch(this.options, { metadata: { resourceVersion }, spec: { holderIdentity: "" } });
    } catch (error) {
      this.log.debug("lease not released", { error: messageOf(error) });
    }
  }

  #schedule(onLost: () => void): void {
    this.#timer = setTimeout(() => {
      void this.#try().then(held => {
        if (this.#stopped) return;
        const since = performance.now() - this.#renewedAt;
        if (!held && since > this.#durationMs) {
          this.log.error("lost the lease", { lease: this.options.name });
          onLost();
          return;
        }
        this.#schedule(onLost);
      });
    }, this.#renewMs);
  }

  /** True when the Lease is ours after this. */
  async #try(): Promise<boolean> {
    const started = performance.now();
    try {
      const lease = await this.#leases.find(this.options);
      if (!lease) await this.#create();
      else if (!this.#mine(lease) && !this.#expired(lease)) return false;
      else await this.#take(lease);
      // Counted from before the request: the server's clock for it started no earlier.
      this.#renewedAt = started;
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) this.log.debug("lease not renewed", { error: messageOf(error) });
      return false;
    }
  }

  #mine(lease: Lease): boolean {
    return lease.spec?.holderIdentity === this.options.identity;
  }

  /** Judged by our own clock since we first saw this renewal: clocks of two machines are not compared. */
  #expired(lease: Lease): boolean {
    const holder = lease.spec?.holderIdentity ?? "";
    const renewTime = lease.spec?.renewTime ?? "";
    if (!holder) return true;
    if (this.#seen?.renewTime !== renewTime || this.#seen.holder !== holder) {
      this.#seen = { renewTime, holder, at: performance.now() };
    }
    const duration = (lease.spec?.leaseDurationSeconds ?? this.#durationMs / 1000) * 1000;
    return performance.now() - this.#seen.at > duration;
  }

  async #create(): Promise<void> {
    const { namespace, name } = this.options;
    const now = microTime();
    await this.#leases.create({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { namespace, name },
      spec: { ...this.#terms(now), acquireTime: now, leaseTransitions: 0 } as Lease["spec"],
    });
  }

  async #take(lease: Lease): Promise<void> {
    const now = microTime();
    const taken = { acquireTime: now, leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1 };
    const { resourceVersion } = lease.metadata;
    const spec = this.#mine(lease) ? this.#terms(now) : { ...this.#terms(now), ...taken };
    await this.#leases.mergePatch(this.options, { metadata: { resourceVersion }, spec });
  }

  #terms(renewTime: string) {
    const leaseDurationSeconds = Math.max(1, Math.round(this.#durationMs / 1000));
    return { holderIdentity: this.options.identity, leaseDurationSeconds, renewTime };
  }
}

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

function microTime(): string {
  return new Date().toISOString().replace(/Z$/, "000Z");
}
