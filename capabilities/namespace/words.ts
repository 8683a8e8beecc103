// Is a namespace that we made in a member to be kept, by what was said when the host's went or the cluster was removed?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule } from "../../lib/domain/cascade.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { atDeletion, FORGOTTEN, listAt, type PastClient } from "../../lib/kube/history.js";
import type { StoreChange } from "../../lib/kube/store.js";
import type { Evidence } from "./plan.js";

/** What stood on the host at the moment of one deletion. */
interface Moment {
  readonly rules: readonly CascadeRule[];
  /** By name: the one that goes or, where a cluster leaves, all. */
  readonly namespaces: ReadonlyMap<string, KubeObject>;
}

/** One deletion that was seen, and what is known of its moment. */
interface Ending {
  /** As its deletion was first seen. */
  readonly object: KubeObject;
  /** We saw it happen: otherwise somebody may have written to it since. */
  readonly witnessed: boolean;
  moment?: Promise<Moment | typeof FORGOTTEN>;
}

/** Names are remembered until the members have decided; one that stays away for long does not get to. */
const REMEMBERED = 10_000;

/**
 * Remembers the deletions of host namespaces and of Clusters, and reads what stood on the host at that very revision: what
 * is said later comes too late (design 3). Reads while the server remembers, not when a member is ready at last.
 */
export class NamespaceWords {
  readonly #namespaces = new Map<string, Ending>();
  readonly #clusters = new Map<string, Ending>();
  #unsubscribe: (() => void)[] = [];

  constructor(readonly deps: Pick<Dependencies, "host">) {}

  start(): void {
    const { clusters, namespaces } = this.deps.host;
    const sources = [
      { collection: namespaces, endings: this.#namespaces, lasting: true },
      { collection: clusters, endings: this.#clusters, lasting: false },
    ];
    for (const { collection, endings, lasting } of sources) {
      for (const object of collection.store.values()) {
        note(endings, { key: object.metadata.name, before: undefined, after: object }, lasting);
      }
      this.#unsubscribe.push(collection.subscribe(change => note(endings, change, lasting)));
    }
  }

  stop(): void {
    for (const stop of this.#unsubscribe) stop();
  }

  /**
   * What is known about a namespace of a cluster. `undefined`: nobody saw the host's namespace go, or the server does not
   * remember. @throws KubeError when the host does not answer
   */
  async about(cluster: Cluster, name: string): Promise<Evidence | undefined> {
    const [own, all] = await this.#read(cluster.metadata.name, name);
    const moment = own ?? all;
    const namespace = moment?.namespaces.get(name);
    return moment && namespace && { cluster, namespace, rules: moment.rules };
  }

  /** Reads what is to be read while it can be. Cheap when there is nothing, or nothing new. */
  async settle(cluster: string, name: string): Promise<void> {
    await this.#read(cluster, name);
  }

  async #read(cluster: string, name: string): Promise<(Moment | undefined)[]> {
    const { clusters, namespaces } = this.deps.host;
    const moments = await Promise.all([
      this.#momentOf(this.#namespaces.get(name), namespaces.client),
      this.#momentOf(this.#clusters.get(cluster), clusters.client),
    ]);
    return moments.map(moment => (moment === FORGOTTEN ? undefined : moment));
  }

  /** One question for all that wait for the answer; a question without an answer is asked again. */
  async #momentOf(ending: Ending | undefined, client: PastClient): Promise<Moment | typeof FORGOTTEN | undefined> {
    if (!ending) return undefined;
    ending.moment ??= this.#ask(ending, client);
    try {
      return await ending.moment;
    } catch (error) {
      ending.moment = undefined;
      throw error;
    }
  }

  async #ask({ object, witnessed }: Ending, client: PastClient): Promise<Moment | typeof FORGOTTEN> {
    const { host } = this.deps;
    const first = witnessed ? undefined : await atDeletion(client, object);
    if (first?.before === "unknown") return FORGOTTEN;
    const then = first?.state ?? object;
    const revision = then.metadata.resourceVersion;
    const rules = await listAt(host.clusterCascadePolicies.client, revision);
    const isNamespace = client === host.namespaces.client;
    const namespaces = isNamespace ? [then] : await listAt(host.namespaces.client, revision);
    if (rules === FORGOTTEN || namespaces === FORGOTTEN) return FORGOTTEN;
    return { rules, namespaces: new Map(namespaces.map(namespace => [namespace.metadata.name, namespace])) };
  }
}

/** `lasting`: the ending outlives the object, until another one bears its name. */
function note(endings: Map<string, Ending>, { key, before, after }: StoreChange, lasting: boolean): void {
  if (!after && lasting) return;
  if (!after?.metadata.deletionTimestamp) return void endings.delete(key);
  const { uid } = after.metadata;
  if (endings.get(key)?.object.metadata.uid === uid) return;
  endings.set(key, { object: after, witnessed: isAlive(before, uid) });
  const oldest = endings.keys().next().value;
  if (endings.size > REMEMBERED && oldest !== undefined) endings.delete(oldest);
}

function isAlive(object: KubeObject | undefined, uid: string | undefined): boolean {
  return object !== undefined && object.metadata.uid === uid && !object.metadata.deletionTimestamp;
}
