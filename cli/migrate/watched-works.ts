// How does a long migration know of every change of a Work without asking for it again and again?
import type { Work } from "../../crds/work.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { Reflector } from "../../lib/kube/reflector.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { Store } from "../../lib/kube/store.js";
import { worksByObject } from "../view/adoption.js";
import { worksNamespace } from "./verdict.js";

/** The Works of one member, as the host says at this moment. `stop()` when done. */
export interface WatchedWorks {
  /** By `objectKey` of what they carry. @throws what keeps the host from answering */
  read(): ReadonlyMap<string, Work>;
  stop(): Promise<void>;
}

const FIRST_MS = 30_000;

/** One LIST, then a watch: asking for a wave's Works every moment would cost the host more than the migration. @throws Error */
export async function watchWorks(host: KubeClient, cluster: string): Promise<WatchedWorks> {
  const store = new Store<Work>();
  const reflector = new Reflector(new ResourceClient<Work>(host, WORKS), store, { namespace: worksNamespace(cluster) });
  reflector.start();
  await Promise.race([reflector.synced, tooLate(reflector)]);
  return {
    read() {
      if (reflector.lastFailure !== undefined) throw reflector.lastFailure;
      return worksByObject([...store.values()]);
    },
    stop: () => reflector.stop(),
  };
}

function tooLate(reflector: Reflector<Work>): Promise<void> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => {
      void reflector.stop();
      reject(new Error(`the host does not tell of its Works: ${reflector.lastError ?? "no answer"}`));
    }, FIRST_MS);
    void reflector.synced.then(() => clearTimeout(timer));
  });
}
