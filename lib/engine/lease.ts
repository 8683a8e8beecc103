// Who may write: one process at a time, by a Lease of coordination.k8s.io.
import type { KubeClient } from "../kube/client.js";
import { isConflict, messageOf } from "../kube/errors.js";
import { ResourceClient } from "../kube/resource.js";
import { pause } from "../kube/pause.js";
import { microTime } from "./clock.js";
import { LEASES, type Lease } from "./lease-object.js";
import type { Logger } from "./log.js";

/** Times in milliseconds. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique per process life: a restarted process is another candidate. */
  readonly identity: string;
  /** After so long without a renewal others may take over. */
  readonly durationMs?: number;
  readonly renewMs?: number;
  /** What whoever leads tells about itself, on the Lease. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Both clocks of the machine: the monotonic one stands still while the machine sleeps, the other can be set. */
interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

/**
 * Leader election. `mayWrite()` turns false half a duration after the last renewal, long before another candidate may
 * take over, so two processes never write at once even when this one was frozen.
 */
export class LeaderLease {
  readonly #leases: ResourceClient<Lease>;
  readonly #durationMs: number;
  readonly #renewMs: number;
  readonly #stop = new AbortController();
  #renewed: Instant | undefined;
  #seen: { readonly version: string; readonly at: number } | undefined;
  /** The Lease as we wrote it last: renewing it needs no read. */
  #held: Lease | undefined;
  /** `leaseTransitions` of our own term; `undefined` before we first led. */
  #led: number | undefined;
  #taken = false;
  #trying: Promise<boolean> = Promise.resolve(false);
  #lastError = "";
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param client one of its own: it must not ask `mayWrite`, since the Lease is what is written while we may not write,
   * and a renewal must not wait behind other requests.
   */
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
    return !this.#stop.signal.aborted && this.#sinceRenewalMs() < this.#durationMs / 2;
  }

  /**
   * True when this process leads for the first time; it goes on renewing until `release()`. False when `release()` came
   * first: nothing that writes may be started then.
   */
  async lead(onLost: () => void): Promise<boolean> {
    const { signal } = this.#stop;
    while (!signal.aborted && !(await this.#try())) await pause(this.#renewMs, signal);
    if (signal.aborted) return false;
    this.log.info("leading", { lease: this.options.name, identity: this.options.identity });
    this.#schedule(this.#renewMs, onLost);
    return true;
  }

  /** Stops writing at once and gives the Lease back, so that the next process need not wait for it to expire. */
  async release(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    // A renewal on its way could take the Lease again after we gave it back.
    await this.#trying;
    try {
      const lease = await this.#leases.find(this.options, this.#patience());
      if (!lease || !this.#mine(lease)) return;
      await this.#write(lease, { holderIdentity: null, renewTime: null, acquireTime: null });
    } catch (error) {
      this.log.debug("lease not released", { error: messageOf(error) });
    }
  }

  #schedule(afterMs: number, onLost: () => void): void {
    this.#timer = setTimeout(() => {
      void this.#try().then(held => {
        if (this.#stop.signal.aborted) return;
        if (!held && this.#taken) {
          this.log.error("another process leads now", { lease: this.options.name });
          onLost();
          return;
        }
        // A renewal that failed is late already.
        this.#schedule(held ? this.#renewMs : this.#renewMs / 4, onLost);
      });
    }, afterMs);
  }

  /** True when the Lease is ours after this. Never rejects. */
  #try(): Promise<boolean> {
    this.#trying = this.#attempt();
    return this.#trying;
  }

  async #attempt(): Promise<boolean> {
    // Counted from before the request: the server's clock for it started no earlier.
    const started = now();
    try {
      const lease = this.#held ?? (await this.#leases.find(this.options, this.#patience()));
      if (this.#stop.signal.aborted || (lease && !this.#free(lease))) return false;
      this.#held = lease ? await this.#write(lease, this.#terms(lease)) : await this.#create();
      this.#renewed = started;
      this.#lastError = "";
      return true;
    } catch (error) {
      // Read it anew before the next attempt: somebody else may have been faster.
      this.#held = undefined;
      if (!isConflict(error)) this.#complain(messageOf(error));
      return false;
    }
  }

  #mine(lease: Lease): boolean {
    return lease.spec?.holderIdentity === this.options.identity;
  }

  #free(lease: Lease): boolean {
    // One that led in between has written; late renewals alone are no loss while nobody took over.
    const transitions = lease.spec?.leaseTransitions ?? 0;
    if (this.#led !== undefined && (!this.#mine(lease) || transitions !== this.#led)) this.#taken = true;
    if (this.#taken) return false;
    return !lease.spec?.holderIdentity || this.#mine(lease) || this.#expired(lease, lease.spec.leaseDurationSeconds);
  }

  /** Judged by our own clock since we first saw this renewal: clocks of two machines are not compared. */
  #expired({ metadata }: Lease, seconds = this.#durationMs / 1000): boolean {
    const version = metadata.resourceVersion ?? "";
    if (this.#seen?.version !== version) this.#seen = { version, at: performance.now() };
    return performance.now() - this.#seen.at > seconds * 1000;
  }

  async #create(): Promise<Lease> {
    const { namespace, name, annotations } = this.options;
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { namespace, name, annotations } };
    return this.#remember(await this.#leases.create({ ...lease, spec: this.#terms(undefined) }, this.#patience()));
  }

  async #write({ metadata }: Lease, spec: unknown): Promise<Lease> {
    const { annotations } = this.options;
    const body = { metadata: { resourceVersion: metadata.resourceVersion, annotations }, spec };
    return this.#remember(await this.#leases.mergePatch(this.options, body, undefined, this.#patience()));
  }

  #remember(written: Lease): Lease {
    if (this.#mine(written)) this.#led = written.spec?.leaseTransitions ?? 0;
    return written;
  }

  #terms(lease: Lease | undefined) {
    const renewTime = microTime();
    const leaseDurationSeconds = Math.max(1, Math.ceil(this.#durationMs / 1000));
    const terms = { holderIdentity: this.options.identity, leaseDurationSeconds, renewTime };
    if (lease && this.#mine(lease)) return terms;
    const leaseTransitions = lease ? (lease.spec?.leaseTransitions ?? 0) + 1 : 0;
    return { ...terms, acquireTime: renewTime, leaseTransitions };
  }

  /** A renewal that hangs on a dead connection must leave time for another one on a new connection. */
  #patience(): AbortSignal {
    return AbortSignal.timeout(Math.max(this.#renewMs, this.#durationMs / 4));
  }

  #sinceRenewalMs(): number {
    if (!this.#renewed) return Infinity;
    const { monotonic, wall } = now();
    return Math.max(monotonic - this.#renewed.monotonic, wall - this.#renewed.wall);
  }

  #complain(error: string): void {
    // A process that waits for ever (no such namespace, forbidden) must say so, but not once a second.
    if (error !== this.#lastError) this.log.warn("lease not renewed", { lease: this.options.name, error });
    this.#lastError = error;
  }
}

const now = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });
