// What admission knows of the host, from small reflectors of its own: it answers without asking anyone.
import type { Cluster } from "../../crds/cluster.js";
import type { AdmissionContext } from "../domain/admission.js";
import type { KubeClient } from "../kube/client.js";
import { Collection } from "../kube/collection.js";
import { Discovery } from "../kube/discovery.js";
import { messageOf } from "../kube/errors.js";
import type { Labelled } from "../kube/labelled.js";
import { CLUSTERS, CUSTOM_RESOURCE_DEFINITIONS } from "../kube/kinds.js";
import { clusterFactsOnly, crdFactsOnly } from "../kube/slim.js";
import { Debouncer } from "./debounce.js";
import { heldObjects } from "./held-objects.js";
import type { Logger } from "./log.js";
import { propagatedFacts } from "./propagated-facts.js";
import { protectedObjects } from "./protected-objects.js";
import type { Runnable } from "./runnable.js";

/** Facts for validators; before they are known, and where they cannot be had, nothing is said about them. */
export interface AdmissionFacts extends Runnable {
  context(): AdmissionContext;
  /** What stands in a namespace of the kinds that an ordinary host holds, read now; as quickly. */
  templatesIn(namespace: string): Promise<Labelled>;
  /** The objects of a namespace that a person has protected, read now; well before a webhook's time is up. */
  protectedIn(namespace: string): Promise<Labelled>;
}

const RETRY_MS = 1_000;

/** Watches clusters, the kinds that the host serves, and what is in the clusters. */
export function admissionFacts(client: KubeClient, log: Logger, ownNamespace: string): AdmissionFacts {
  const reflector = { log };
  const clusters = new Collection<Cluster>(client, CLUSTERS, { reflector, transform: clusterFactsOnly });
  const crds = new Collection(client, CUSTOM_RESOURCE_DEFINITIONS, { reflector, transform: crdFactsOnly });
  const propagated = propagatedFacts(client, clusters, reflector);
  const discovery = new Discovery(client);
  const kindsMoved = new Debouncer(refresh, { stillMs: 200, maxMs: 1_000 });
  let stopped = false;

  function refresh(): void {
    discovery.refresh().catch((error: unknown) => {
      log.debug("cannot read the host's kinds", { error: messageOf(error) });
      if (!stopped) setTimeout(() => kindsMoved.poke(""), RETRY_MS).unref();
    });
  }

  return {
    templatesIn: heldObjects(client),
    protectedIn: protectedObjects(client, discovery, propagated),
    context: () => ({
      ownNamespace,
      knownClusters: clusters.store.synced ? new Set(clusters.store.keys()) : undefined,
      kindExists: (apiVersion, kind) =>
        discovery.known && discovery.served.complete ? discovery.find(apiVersion, kind) !== undefined : undefined,
      isNamespaced: (apiVersion, kind) => discovery.find(apiVersion, kind)?.namespaced,
      propagated: propagated.known(),
    }),
    start() {
      crds.subscribe(({ before, after }) => {
        if (before?.metadata.generation !== after?.metadata.generation || !before) kindsMoved.poke("");
      });
      clusters.start();
      crds.start();
      void propagated.start();
      refresh();
    },
    async stop() {
      stopped = true;
      kindsMoved.cancelAll();
      await Promise.all([clusters.stop(), crds.stop(), propagated.stop()]);
    },
  };
}
