// How much does a pod ask for, and how much do many things ask for together?
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from "../../lib/domain/quantity.js";

/** Exact amounts by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;
/** Amounts as they are written in objects. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** What of a container counts here. */
export interface ContainerRequests {
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: ResourceList };
}

/** What of a pod's spec counts here. */
export interface PodRequests {
  readonly containers?: readonly ContainerRequests[];
  readonly initContainers?: readonly ContainerRequests[];
  readonly overhead?: ResourceList;
  readonly resources?: { readonly requests?: ResourceList };
}

/** What is not a quantity counts as nothing: one odd object of a member must not hide all others. */
export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) {
    try {
      amounts.set(name, parseQuantity(text));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return amounts;
}

/** The sums by name. */
export function plus(left: Amounts, right: Amounts): Amounts {
  if (right.size === 0) return left;
  const sum = new Map(left);
  for (const [name, amount] of right) {
    const before = sum.get(name);
    sum.set(name, before ? addQuantities(before, amount) : amount);
  }
  return sum;
}

/** As the API writes it, by name. */
export function writeAmounts(amounts: Amounts): Record<string, string> {
  const sorted = [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, amount]) => [name, formatQuantity(amount)]));
}

/**
 * What the scheduler sets aside for a pod: its containers and side-cars together, or the greediest moment of its start
 * where that is more, plus overhead. What is asked for the pod as a whole wins. Source: KEP-753, KEP-2837.
 */
export function podRequests(pod: PodRequests): Amounts {
  let running: Amounts = sum(pod.containers ?? []);
  let sidecars: Amounts = new Map();
  let peak: Amounts = new Map();
  for (const container of pod.initContainers ?? []) {
    const own = amountsOf(container.resources?.requests);
    if (container.restartPolicy === "Always") {
      sidecars = plus(sidecars, own);
      running = plus(running, own);
      peak = greater(peak, sidecars);
    } else {
      peak = greater(peak, plus(sidecars, own));
    }
  }
  const together = new Map([...greater(running, peak), ...amountsOf(pod.resources?.requests)]);
  return plus(together, amountsOf(pod.overhead));
}

function sum(containers: readonly ContainerRequests[]): Amounts {
  return containers.reduce<Amounts>((total, c) => plus(total, amountsOf(c.resources?.requests)), new Map());
}

function greater(left: Amounts, right: Amounts): Amounts {
  const result = new Map(left);
  for (const [name, amount] of right) {
    const before = result.get(name);
    if (!before || before.nano < amount.nano) result.set(name, amount);
  }
  return result;
}
