// What of ours was in a cluster when it began to leave?
import type { Cluster } from "../../crds/cluster.js";
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { clusterOfExecutionNamespace, executionNamespace, workPermanentId } from "../../lib/domain/names.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { WORKS_BY_NAMESPACE } from "../../lib/kube/host.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import { isOurNamespace, isSystemNamespace } from "../../lib/kube/member-namespace.js";

/** One object that was sent to a cluster, or made there. */
export interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The id that it carries while it is ours. */
  readonly mark: string;
  /** Only a Work that sends nothing names it, to let go of what may be there: if it is not, it never was. */
  readonly doubtful?: boolean;
}

/** Everything that one leaving cluster held of ours, and what became of it. */
export interface Inventory {
  readonly uid: string | undefined;
  readonly items: Map<string, Item>;
  /** Keys of those that a Work stands for. */
  readonly sent: Set<string>;
}

/** Takes stock of clusters as they begin to leave: their Works go one by one, and nobody remembers them afterwards. */
export class Inventories {
  readonly #inventories = new Map<string, Inventory>();

  constructor(readonly deps: Pick<Dependencies, "host" | "members">) {}

  get(name: string): Inventory | undefined {
    return this.#inventories.get(name);
  }

  /** Call it in the very moment when the deletion of a Cluster is seen, before anyone acts on it. Safe to repeat. */
  begin({ metadata: { name, uid } }: Cluster): Inventory {
    const existing = this.#inventories.get(name);
    if (existing?.uid === uid && existing) return existing;
    const inventory: Inventory = { uid, items: new Map(), sent: new Set() };
    this.#inventories.set(name, inventory);
    const { host, members } = this.deps;
    for (const work of host.works.store.byIndex(WORKS_BY_NAMESPACE, executionNamespace(name))) this.noteWork(work);
    const member = members.get(name);
    if (member?.ready) for (const object of member.objects(NAMESPACES).store.values()) this.noteNamespace(name, object);
    return inventory;
  }

  /** A Work that appears, or changes, while its cluster leaves. */
  noteWork(work: Work): void {
    const { namespace = "", name } = work.metadata;
    const inventory = this.#inventories.get(clusterOfExecutionNamespace(namespace) ?? "");
    if (!inventory) return;
    const mark = workPermanentId(namespace, name);
    const doubtful = work.spec.suspendDispatching === true && conditionOf(work, "Applied") === undefined;
    for (const manifest of work.spec.workload?.manifests ?? []) {
      inventory.sent.add(add(inventory, manifest, { mark, doubtful }));
    }
  }

  /** A namespace of the member that carries a mark. */
  noteNamespace(cluster: string, object: KubeObject): void {
    const inventory = this.#inventories.get(cluster);
    if (!inventory || !isOurNamespace(cluster, object) || isSystemNamespace(object.metadata.name)) return;
    add(inventory, object, { mark: object.metadata.labels?.[WORK_ID_LABEL] ?? "", doubtful: false });
  }

  forget(name: string): void {
    this.#inventories.delete(name);
  }
}

/** Returns its key. */
function add(
  { items }: Inventory,
  { apiVersion, kind, metadata }: KubeObject,
  found: Pick<Item, "mark" | "doubtful">,
): string {
  const { namespace, name } = metadata;
  const { group } = gvkOf({ apiVersion, kind });
  const key = [group, kind, namespace ?? "", name].join("|");
  const doubtful = found.doubtful && items.get(key)?.doubtful !== false;
  items.set(key, { apiVersion, kind, namespace, name, mark: found.mark, doubtful });
  return key;
}
