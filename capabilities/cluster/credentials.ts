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

/** Every 5 min as Karmada does (spec/karmada 7.1), and after a refusal. */
export const CREDENTIAL_TIMES: CredentialTimes = { maxAgeMs: 300_000, minAgeMs: 4_000 };

/** The Secret of one cluster. Single GETs, not a watch: the operator needs no right to list Secrets for it. */
export class Credentials {
  #readAt = Number.NEGATIVE_INFINITY;
  #secret: KubeObject | undefined;
  #pending: Promise<KubeObject | undefined> | undefined;

  constructor(
    readonly secrets: ResourceClient,
    readonly reference: Cluster["spec"]["secretRef"],
    readonly times: CredentialTimes,
  ) {}

  /** The Secret as it was read last, or now when that is too long ago. @throws KubeError when the host does not answer. */
  async read(): Promise<KubeObject | undefined> {
    const limit = this.#secret ? this.times.maxAgeMs : this.times.minAgeMs;
    return this.#age() < limit ? this.#secret : this.#ask();
  }

  /** The token was refused: the Secret is read again unless that has just been done. */
  async reread(): Promise<KubeObject | undefined> {
    return this.#age() < this.times.minAgeMs ? this.#secret : this.#ask();
  }

  #age(): number {
    return performance.now() - this.#readAt;
  }

  #ask(): Promise<KubeObject | undefined> {
    if (!this.reference) return Promise.resolve(undefined);
    this.#pending ??= this.secrets.find(this.reference).finally(() => (this.#pending = undefined));
    return this.#pending.then(secret => {
      this.#secret = secret;
      this.#readAt = performance.now();
      return secret;
    });
  }
}
