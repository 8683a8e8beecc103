// Keeps the objects of one cluster as they were before they were taken over, for as long as their Works live.
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { FIELD_MANAGER, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";
import { bearsOurFields } from "../../lib/domain/release.js";
import {
  keepingsFor,
  objectIn,
  planSnapshot,
  SNAPSHOT_SECRET_NAMESPACE,
  SNAPSHOT_SECRET_TYPE,
} from "../../lib/domain/snapshot.js";
import { KubeError } from "../../lib/kube/errors.js";
import { SNAPSHOTS_BY_WORK, type Host } from "../../lib/kube/host.js";
import { SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { storeKey } from "../../lib/kube/store.js";
import { Batch } from "./batch.js";
import { idOf } from "./plan.js";

/** The objects of one Work as they were, by uid; `undefined` for one whose snapshot cannot be understood. */
export type Before = ReadonlyMap<string, KubeObject | undefined>;

/** The snapshots of one execution namespace. */
export interface Snapshots {
  /** What is known of a Work's snapshots without asking anybody. */
  of(work: Work): readonly AdoptionSnapshot[];
  /**
   * Keeps the object as it is now, before the first write that takes it over. Keeps nothing twice: an object that bears
   * fields of ours is not as it was any more.
   * @throws KubeError with the host's words when it cannot be stored
   */
  keep(work: Work, live: KubeObject): Promise<void>;
  /**
   * The Work's objects as they were; `undefined` while they are being read: the Work is woken when they are.
   * @throws when the host did not answer
   */
  read(work: Work): Before | undefined;
  /** True when the Work has none left; otherwise they are being removed, and the Work is woken. @throws likewise */
  discard(work: Work): boolean;
  stop(): void;
}

/** How long a release waits for others, so that one request answers for all of them. */
const READ_MS = 50;
/** Nobody waits for a removal but the Work itself, which has done all there is to do: many can go with one request. */
const REMOVE_MS = 1_000;
/** Works in one request: their ids stand in its address. */
const BATCH_LIMIT = 100;
const NOTHING: Before = new Map();
const SECRETS_OF_OURS = `type=${SNAPSHOT_SECRET_TYPE}`;

/** `wake` gets the key of a Work whose reading or removing has come to an end. */
export function snapshotsIn(namespace: string, host: Host, wake: (workKey: string) => void): Snapshots {
  const secrets = new ResourceClient(host.client, SECRETS);
  const batch = { answered: wake, limit: BATCH_LIMIT };
  const reads = new Batch<Before>({ ...batch, run: readAll, waitMs: READ_MS });
  const removals = new Batch<true>({ ...batch, run: removeAll, waitMs: REMOVE_MS });

  const of = (work: Work) => host.snapshots.store.byIndex(SNAPSHOTS_BY_WORK, idOf(work));
  const idOfKey = (key: string) => workPermanentId(namespace, key.slice(namespace.length + 1));
  const selectorFor = (keys: readonly string[]) => `${WORK_ID_LABEL} in (${keys.map(idOfKey).join(",")})`;

  async function store(work: Work, live: KubeObject): Promise<void> {
    const options = { manager: FIELD_MANAGER, force: true };
    for (const keeping of keepingsFor(live)) {
      try {
        const { snapshot, secret } = planSnapshot({ work, live, keeping, takenAt: new Date() });
        // The Secret first: a snapshot that points to nothing would be believed.
        if (secret) await secrets.apply(secret, options);
        await host.snapshots.apply(snapshot, options);
        return;
      } catch (error) {
        if (!isTooLarge(error) || keeping === "partial") throw error;
      }
    }
  }

  /** One request, and one more where Secrets are among them. */
  async function readAll(keys: readonly string[]): Promise<ReadonlyMap<string, Before>> {
    const selected = selectorFor(keys);
    // Without pages: few are found, and an API server answers that from memory.
    const { items } = await host.snapshots.client.list({ labelSelector: selected, limit: 0 }, namespace);
    const needed = items.some(({ spec }) => spec.secretRef);
    const query = { labelSelector: selected, fieldSelector: SECRETS_OF_OURS, limit: 0 };
    const kept = needed ? (await secrets.list(query, SNAPSHOT_SECRET_NAMESPACE)).items : [];
    const secretNamed = new Map(kept.map(secret => [secret.metadata.name, secret]));

    const all = new Map(keys.map(key => [key, new Map<string, KubeObject | undefined>()]));
    for (const item of items) {
      const object = objectIn(item, secretNamed.get(item.spec.secretRef?.name ?? ""));
      all.get(`${namespace}/${item.spec.workName}`)?.set(item.spec.uid, object);
    }
    return all;
  }

  async function removeAll(keys: readonly string[]): Promise<ReadonlyMap<string, true>> {
    const selected = selectorFor(keys);
    const gone = keys.flatMap(key => host.snapshots.store.byIndex(SNAPSHOTS_BY_WORK, idOfKey(key)));
    // The Secrets first: by its snapshot, one that is left behind is found again.
    if (gone.some(({ spec }) => spec.secretRef)) {
      await secrets.deleteAll({ labelSelector: selected, fieldSelector: SECRETS_OF_OURS }, SNAPSHOT_SECRET_NAMESPACE);
    }
    await host.snapshots.client.deleteAll({ labelSelector: selected }, namespace);
    for (const snapshot of gone) host.snapshots.store.remove(snapshot);
    return new Map(keys.map(key => [key, true]));
  }

  return {
    of,
    async keep(work, live) {
      const { uid, resourceVersion } = live.metadata;
      const known = of(work).find(({ spec }) => spec.uid === uid);
      if (known && (bearsOurFields(live) || known.spec.resourceVersion === resourceVersion)) return;
      await store(work, live);
    },
    read(work) {
      if (of(work).length === 0) return NOTHING;
      const answer = reads.ask(storeKey(work.metadata));
      return answer && (answer.value ?? NOTHING);
    },
    discard(work) {
      const key = storeKey(work.metadata);
      reads.forget(key);
      if (of(work).length > 0) {
        removals.ask(key);
        // An answer to an earlier wish: what is there now has come since.
        removals.forget(key);
        return false;
      }
      removals.forget(key);
      return true;
    },
    stop() {
      reads.stop();
      removals.stop();
    },
  };
}

/** The API server's limit on requests, etcd's on objects, and that of a Secret's data. */
function isTooLarge(error: unknown): boolean {
  return error instanceof KubeError && (error.status === 413 || /too (large|long)/i.test(error.message));
}
