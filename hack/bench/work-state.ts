// Which Works of the bench does the host have, and how many of them say that their object stays?
import type { KubeObject } from "../../crds/object.js";
import type { BenchApi } from "./api.js";
import type { Changes } from "./signal.js";
import { NAMESPACE } from "./templates.js";
import { watch } from "./watch.js";

interface WorkSpec {
  readonly preserveResourcesOnDeletion?: boolean;
  readonly workload?: { readonly manifests?: readonly { readonly metadata?: { readonly namespace?: string } }[] };
}

/** Kept up to date by one watch; it runs only in the phases that need it, for it costs the host work. */
export class WorkState {
  readonly #keeps = new Map<string, boolean>();

  constructor(
    private readonly api: BenchApi,
    private readonly changes: Changes,
  ) {}

  get size(): number {
    return this.#keeps.size;
  }

  get keeping(): number {
    return [...this.#keeps.values()].filter(Boolean).length;
  }

  /** Returns when all there is has been read once. */
  start(signal: AbortSignal): Promise<void> {
    const handler = {
      reset: () => this.#keeps.clear(),
      put: (work: KubeObject) => this.#put(work),
      remove: (work: KubeObject) => {
        if (this.#keeps.delete(idOf(work))) this.changes.tell();
      },
    };
    return watch(this.api, "/apis/work.karmada.io/v1alpha1/works", handler, signal);
  }

  #put(work: KubeObject): void {
    const spec = (work["spec"] ?? {}) as WorkSpec;
    const isOurs = (spec.workload?.manifests ?? []).some(({ metadata }) => metadata?.namespace === NAMESPACE);
    if (!isOurs) return;
    this.#keeps.set(idOf(work), spec.preserveResourcesOnDeletion === true);
    this.changes.tell();
  }
}

function idOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
