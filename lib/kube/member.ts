// One member cluster: its client, what it serves, and what of ours it holds.
import type { KubeObject } from "../../crds/object.js";
import { WORK_ID_LABEL } from "../domain/marks.js";
import { KubeClient, type ClientOptions } from "./client.js";
import { Collection } from "./collection.js";
import type { Connection } from "./connection.js";
import { Discovery } from "./discovery.js";
import { KubeError } from "./errors.js";
import { NAMESPACES } from "./kinds.js";
import type { ReflectorLog } from "./reflector.js";
import { groupKindOf, ResourceClient, type ApiResource } from "./resource.js";
import type { StoreChange } from "./store.js";
import { dropUnserved } from "./unserved.js";

/** Told what changes in a member. */
export interface MemberListener {
  /** An object that carries a Work id changed, or lost it. */
  onObject?(member: Member, resource: ApiResource, change: StoreChange): void;
  /** The member became ready, or ceased to be. */
  onReadiness?(member: Member): void;
}

/** A joined cluster that we can reach, or could. Owns its connections and reflectors. */
export class Member {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  readonly namespaces: ResourceClient;
  readonly #collections = new Map<string, Collection>();
  #ready = false;
  #closed = false;

  constructor(
    readonly name: string,
    connection: Connection,
    readonly context: {
      readonly client: ClientOptions;
      readonly log: ReflectorLog;
      readonly listeners: ReadonlySet<MemberListener>;
    },
  ) {
    this.client = new KubeClient(connection, context.client);
    this.discovery = new Discovery(this.client);
    this.namespaces = new ResourceClient(this.client, NAMESPACES);
  }

  /** True while the last probe went well. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Set by the prober; tells listeners when it changes. */
  setReady(ready: boolean): void {
    if (this.#ready === ready) return;
    this.#ready = ready;
    for (const listener of this.context.listeners) listener.onReadiness?.(this);
  }

  /**
   * Objects of a kind that carry a Work id: watched from the first time somebody asks.
   * @throws KubeError when the member has been disconnected: a watch begun after that would never end.
   */
  objects(resource: ApiResource): Collection {
    if (this.#closed) throw new KubeError(0, "", `cluster ${this.name} has been disconnected`);
    const id = groupKindOf(resource);
    const existing = this.#collections.get(id);
    if (existing && existing.resource.version === resource.version) return existing;
    if (existing) void existing.stop();
    const collection = new Collection<KubeObject>(this.client, resource, {
      indexes: { workId: workIdsOf },
      reflector: { query: { labelSelector: WORK_ID_LABEL }, log: this.context.log },
    });
    this.#collections.set(id, collection);
    collection.subscribe(change => {
      for (const listener of this.context.listeners) listener.onObject?.(this, resource, change);
    });
    collection.start();
    return collection;
  }

  /** The kinds that are watched now. */
  watched(): IterableIterator<Collection> {
    return this.#collections.values();
  }

  /** Stops watching kinds that the member has certainly ceased to serve: their watches would ask for ever. */
  dropUnserved(): Promise<void> {
    return dropUnserved(this.#collections, this.discovery);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#collections.values()].map(c => c.stop()));
    this.#collections.clear();
    await this.client.close();
  }
}

function workIdsOf(object: KubeObject): readonly string[] {
  const id = object.metadata.labels?.[WORK_ID_LABEL];
  return id ? [id] : [];
}

/** All members by name. Who connects and probes them is the cluster capability; everyone else only reads. */
export class Members {
  readonly #members = new Map<string, { readonly member: Member; readonly fingerprint: string }>();
  readonly #listeners = new Set<MemberListener>();
  readonly #suspicions = new Set<(name: string) => void>();

  constructor(
    readonly options: {
      readonly client: (cluster: string) => ClientOptions;
      readonly log: ReflectorLog;
    },
  ) {}

  get(name: string): Member | undefined {
    return this.#members.get(name)?.member;
  }

  all(): Member[] {
    return [...this.#members.values()].map(m => m.member);
  }

  /**
   * The member behind a connection. The same fingerprint (of address and credentials) gives the same member; another one
   * replaces it, with the old connections closed.
   */
  async connect(name: string, connection: Connection, fingerprint: string): Promise<Member> {
    const existing = this.#members.get(name);
    if (existing?.fingerprint === fingerprint) return existing.member;
    const { client, log } = this.options;
    const member = new Member(name, connection, { client: client(name), log, listeners: this.#listeners });
    this.#members.set(name, { member, fingerprint });
    await existing?.member.close();
    return member;
  }

  async disconnect(name: string): Promise<void> {
    const existing = this.#members.get(name);
    this.#members.delete(name);
    existing?.member.setReady(false);
    await existing?.member.close();
  }

  subscribe(listener: MemberListener): void {
    this.#listeners.add(listener);
  }

  /** A request to the member got no answer: whoever probes should look at once. */
  suspect(name: string): void {
    for (const listener of this.#suspicions) listener(name);
  }

  onSuspicion(listener: (name: string) => void): void {
    this.#suspicions.add(listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members.keys()].map(name => this.disconnect(name)));
  }
}
