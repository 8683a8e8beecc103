// Which Secret opens a member, read when it is needed and no more often than that?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { ResourceClient } from "../../lib/kube/resource.js";

/** Milliseconds. */
export interface CredentialTimes {
  /** A Secret is read again after this, so that a rotated token and a removed one are noticed. */
  readonly maxAgeMs: number;
  /** A refused token is looked up again no more often than this: every request of a member may be refused at once. */
  readonly minAgeMs: number;
}

/** Whose Secret it is. */
export interface CredentialSource {
  readonly reference: Cluster["spec"]["secretRef"];
  /** True while the cluster is being removed. */
  readonly isLeaving: () => boolean;
  readonly times: CredentialTimes;
}

/** A watch tells of changes, and a refusal does; the rest is for whoever may not watch (Karmada reads every 5 min). */
export const CREDENTIAL_TIMES: CredentialTimes = { maxAgeMs: 1_800_000, minAgeMs: 4_000 };

/** The Secret of one cluster. Read when it is needed; a watch that knows no contents only says when that is. */
export class Credentials {
  #readAt = Number.NEGATIVE_INFINITY;
  #secret: KubeObject | undefined;
  #pending: Promise<KubeObject | undefined> | undefined;

  constructor(
    readonly secrets: ResourceClient,
    readonly source: CredentialSource,
  ) {}

  /** The Secret as it was read last, or now when that is too long ago. @throws KubeError when the host does not answer. */
  async read(): Promise<KubeObject | undefined> {
    const { maxAgeMs, minAgeMs } = this.source.times;
    const limit = this.#secret ? maxAgeMs : minAgeMs;
    return this.#age() < limit ? this.#secret : this.#ask();
  }

  /** The token was refused: the Secret is read again unless that has just been done. */
  async reread(): Promise<KubeObject | undefined> {
    return this.#age() < this.source.times.minAgeMs ? this.#secret : this.#ask();
  }

  /** It has changed: the next one who needs it reads it. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #age(): number {
    return performance.now() - this.#readAt;
  }

  #ask(): Promise<KubeObject | undefined> {
    const { reference, isLeaving } = this.source;
    if (!reference) return Promise.resolve(undefined);
    this.#pending ??= this.secrets.find(reference).finally(() => (this.#pending = undefined));
    return this.#pending.then(secret => {
      // Deleted together with its Cluster, in whatever order: what opened the cluster a moment ago still lets go of it.
      if (secret || !isLeaving()) this.#secret = secret;
      this.#readAt = performance.now();
      return this.#secret;
    });
  }
}
