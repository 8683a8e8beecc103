// What does a Work say becomes of its objects when it goes?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Work } from "../../crds/work.js";
import { DECIDED_BY_ANNOTATION, ORDER_ANNOTATION } from "./marks.js";
import { clusterOfExecutionNamespace } from "./names.js";

/**
 * What to do with the objects of a Work that goes. `adopted`: keep what was there before us, delete what we made.
 * `restore`: keep, and put back the values that taking it over has changed.
 */
export type Order = "keep" | "delete" | "adopted" | "restore";

const ORDERS: Readonly<Record<Cascade, Order>> = {
  orphan: "keep",
  background: "delete",
  adopted: "adopted",
  restore: "restore",
};
const CASCADES: Readonly<Record<Order, Cascade>> = {
  keep: "orphan",
  delete: "background",
  adopted: "adopted",
  restore: "restore",
};

const KNOWN_ORDERS = Object.keys(CASCADES) as readonly Order[];

/** True for an order by which every object stays. */
export const keepsAll = (order: Order): boolean => order === "keep" || order === "restore";

/** The order that a word stands for. */
export const orderFor = (cascade: Cascade): Order => ORDERS[cascade];

/** The word that stands for an order. */
export const cascadeFor = (order: Order): Cascade => CASCADES[order];

/**
 * What a Work's own fields say: `cascadeDeletion`, or `preserveResourcesOnDeletion` where that is not set. Where the two
 * contradict each other, and for a word of a later version, keep wins (design 2).
 */
export function cascadeOfWork({ spec }: Pick<Work, "spec">): Cascade {
  const preserve = spec.preserveResourcesOnDeletion ? "orphan" : "background";
  if (spec.cascadeDeletion === undefined) return preserve;
  const cascade = Object.hasOwn(ORDERS, spec.cascadeDeletion) ? spec.cascadeDeletion : "orphan";
  return cascade === "background" ? preserve : cascade;
}

/** An order that was written into a Work; a word that nobody knows is none. */
export function writtenOrder({ metadata }: Pick<Work, "metadata">): Order | undefined {
  const order = metadata.annotations?.[ORDER_ANNOTATION];
  return KNOWN_ORDERS.find(known => known === order);
}

/** The two fields of a Work's spec for a word. An older reader knows the first one only: where it may be kept, it keeps. */
export function cascadeFields(cascadeDeletion: Cascade) {
  return { preserveResourcesOnDeletion: cascadeDeletion !== "background", cascadeDeletion };
}

/** What Works remember of policies about deletion, when their binding is gone. */
export function recordedByWorks(works: readonly Work[]): ClusterDeletion[] {
  return works.flatMap(work => {
    const decidedBy = work.metadata.annotations?.[DECIDED_BY_ANNOTATION];
    const name = clusterOfExecutionNamespace(work.metadata.namespace ?? "");
    if (!decidedBy || name === undefined) return [];
    return { name, cascadeDeletion: cascadeOfWork(work), reason: "CascadeDeletionPolicy" as const, decidedBy };
  });
}
