// What do we hold in memory about each joined cluster between two looks?
import type { Cluster } from "../../crds/cluster.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeClient } from "../../lib/kube/client.js";
import { SECRETS } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { Credentials, type CredentialTimes } from "./credentials.js";
import type { Facts } from "./facts.js";
import type { Health } from "./health.js";
import { isLink, linkKey, linkOf, type Link } from "./link.js";
import { PROBE_TIMEOUT_MS } from "./probe.js";
import type { Verdict } from "./verdict.js";

/** A connection that stands: the member that all others use, and a client of our own to look at it. */
export interface Connected {
  readonly member: Member;
  readonly client: KubeClient;
}

/** One Cluster object as it is reached now; another address or Secret makes another session. */
export class Session {
  health: Health = { failures: 0 };
  facts: Facts | undefined;
  /** False until what it has and serves was asked for once, whatever came of it. */
  asked = false;
  /** uid of the member's namespace kube-system, once it has answered. */
  identity: string | undefined;
  /** When the last Work went of a cluster that is leaving. */
  emptySince: number | undefined;
  #progress: { readonly left: string; readonly since: number } | undefined;
  #stalled = false;
  readonly credentials: Credentials;
  #client: { readonly fingerprint: string; readonly client: KubeClient } | undefined;
  #token = "";

  constructor(
    readonly deps: Dependencies,
    readonly cluster: Pick<Cluster, "metadata" | "spec">,
    readonly key: string,
    times: CredentialTimes,
  ) {
    const secrets = new ResourceClient(deps.host.client, SECRETS);
    const { name } = cluster.metadata;
    const isLeaving = () => deps.host.clusters.get(name)?.metadata.deletionTimestamp !== undefined;
    this.credentials = new Credentials(secrets, { reference: cluster.spec.secretRef, isLeaving, times });
  }

  /** Connects, or says what is missing. @throws KubeError when the host does not answer for the Secret. */
  async connect(cluster: Cluster): Promise<Connected | Verdict> {
    const link = linkOf(cluster, await this.credentials.read());
    if (!isLink(link)) return link;
    this.#token = link.token;
    const connection = { ...link.connection, authorization: (refused?: boolean) => this.#authorize(refused) };
    const { name } = cluster.metadata;
    const member = await this.deps.members.connect(name, connection, link.fingerprint);
    return { member, client: await this.#lookThrough({ ...link, connection }, name) };
  }

  /**
   * Milliseconds until what holds up a leaving counts as stalled. Starts anew whenever something of it has moved, until it
   * was stalled once: then there is an end of waiting.
   */
  stalledIn(left: object, limitMs: number): number {
    const now = performance.now();
    const text = JSON.stringify(left);
    if (this.#progress?.left !== text) this.#progress = { left: text, since: now };
    const leftMs = limitMs - (now - this.#progress.since);
    this.#stalled ||= leftMs <= 0;
    return this.#stalled ? 0 : leftMs;
  }

  async close(): Promise<void> {
    await this.#client?.client.close();
    this.#client = undefined;
  }

  /** One connection of its own: a look neither waits for the member's busy pool nor takes a place in it. */
  async #lookThrough({ connection, fingerprint }: Link, name: string): Promise<KubeClient> {
    if (this.#client?.fingerprint === fingerprint) return this.#client.client;
    await this.close();
    const common = this.deps.members.options.client(name);
    const client = new KubeClient(connection, { ...common, connections: 1, timeoutMs: PROBE_TIMEOUT_MS });
    this.#client = { fingerprint, client };
    return client;
  }

  async #authorize(refused = false): Promise<string> {
    const secret = refused ? await this.credentials.reread() : await this.credentials.read();
    const link = linkOf({ ...this.cluster, apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster" }, secret);
    if (isLink(link)) this.#token = link.token;
    return `Bearer ${this.#token}`;
  }
}

/** The sessions of all clusters by name. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  constructor(
    readonly deps: Dependencies,
    readonly times: CredentialTimes,
  ) {}

  get(name: string): Session | undefined {
    return this.#sessions.get(name);
  }

  /** The session for a Cluster as it is now, and whether it is a new one. */
  async of(cluster: Cluster): Promise<{ session: Session; fresh: boolean }> {
    const { name } = cluster.metadata;
    const key = linkKey(cluster);
    const existing = this.#sessions.get(name);
    if (existing?.key === key) return { session: existing, fresh: false };
    const session = new Session(this.deps, cluster, key, this.times);
    this.#sessions.set(name, session);
    await existing?.close();
    return { session, fresh: true };
  }

  /** Forgets a cluster and ends its connections. */
  async drop(name: string): Promise<void> {
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    await Promise.all([session?.close(), this.deps.members.disconnect(name)]);
  }

  /** Ends the looking; members stay connected for those who are still draining. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(session => session.close()));
    this.#sessions.clear();
  }
}
