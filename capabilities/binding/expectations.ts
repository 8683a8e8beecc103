// Which Works have been sent new content and have not reported on it yet: so that one report tells of all of them.
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { conditionOf } from "../../lib/engine/conditions.js";

/** How long a report waits for the others, milliseconds. */
const PATIENCE_MS = 15_000;

/** Memory only: losing it costs a second status write, nothing else. */
export class Expectations {
  readonly #rendered = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #sent = new Map<string, { readonly generation: number; readonly at: number }>();

  /** New content went out with this generation of the Work. */
  sent({ metadata }: Work): void {
    this.#sent.set(metadata.uid ?? "", { generation: metadata.generation ?? 0, at: performance.now() });
  }

  forget({ metadata }: Work): void {
    this.#sent.delete(metadata.uid ?? "");
  }

  /** The Works of this generation of the binding are all written; true when that is news. */
  rendered({ metadata: { uid = "", generation = 0 } }: AnyBinding): boolean {
    const before = this.#rendered.get(uid);
    this.#rendered.set(uid, generation);
    this.#asked.delete(uid);
    return before !== generation;
  }

  forgetBinding({ metadata }: AnyBinding): void {
    this.#rendered.delete(metadata.uid ?? "");
    this.#asked.delete(metadata.uid ?? "");
  }

  /** How long to wait for the Works of this generation to be written; 0 when they are, or when it is late. */
  renderMs({ metadata: { uid = "", generation = 0 } }: AnyBinding): number {
    if ((this.#rendered.get(uid) ?? 0) >= generation) return 0;
    const asked = this.#asked.get(uid) ?? performance.now();
    this.#asked.set(uid, asked);
    return Math.max(0, PATIENCE_MS - (performance.now() - asked));
  }

  /** How long to wait for what these Works will say about what they were sent; 0 when nothing is missing or it is late. */
  waitMs(works: readonly Work[]): number {
    return Math.max(0, ...works.map(work => this.#waitFor(work)));
  }

  #waitFor(work: Work): number {
    const sent = this.#sent.get(work.metadata.uid ?? "");
    if (!sent) return 0;
    const reported = conditionOf(work, "Applied")?.observedGeneration ?? 0;
    if (reported < sent.generation) return PATIENCE_MS - (performance.now() - sent.at);
    this.#sent.delete(work.metadata.uid ?? "");
    return 0;
  }
}
