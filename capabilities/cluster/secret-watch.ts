// Which clusters' Secrets have just changed, or gone?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { Collection } from "../../lib/kube/collection.js";
import { SECRETS } from "../../lib/kube/kinds.js";
import { storeKey, type StoreChange } from "../../lib/kube/store.js";

/** Told of a cluster whose Secret is another one now, or is not there any more. */
export type SecretListener = (cluster: string, gone: boolean) => void;

/**
 * Watches the namespaces that Clusters keep their Secrets in; knows names and revisions only, never contents. Where the
 * operator may not watch, the Secrets are read again from time to time all the same.
 */
export class SecretWatch {
  readonly #namespaces = new Map<string, Collection>();

  constructor(
    readonly deps: Pick<Dependencies, "host" | "log">,
    readonly listener: SecretListener,
  ) {}

  /** Watches where this Cluster's Secret is. Cheap when that is watched already. */
  follow({ spec }: Pick<Cluster, "spec">): void {
    const namespace = spec.secretRef?.namespace;
    if (!namespace || this.#namespaces.has(namespace)) return;
    const { host, log } = this.deps;
    const collection = new Collection(host.client, SECRETS, { transform: nameOnly, reflector: { namespace, log } });
    this.#namespaces.set(namespace, collection);
    collection.subscribe(change => {
      // Its first list is no news.
      if (collection.store.synced) this.#tell(change);
    });
    collection.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#namespaces.values()].map(collection => collection.stop()));
    this.#namespaces.clear();
  }

  #tell({ key, after }: StoreChange): void {
    for (const { metadata, spec } of this.deps.host.clusters.store.values()) {
      if (spec.secretRef && storeKey(spec.secretRef) === key) this.listener(metadata.name, after === undefined);
    }
  }
}

function nameOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion } };
}
