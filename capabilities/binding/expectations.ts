// Which Works have been sent new content and have not reported on it yet: so that one report tells of all of them.
import type { Work } from "../../crds/work.js";
import { conditionOf } from "../../lib/engine/conditions.js";

/** How long a report waits for the others, milliseconds. */
const PATIENCE_MS = 5_000;

/** Memory only: losing it costs a second status write, nothing else. */
export class Expectations {
  readonly #sent = new Map<string, { readonly generation: number; readonly at: number }>();

  /** New content went out with this generation of the Work. */
  sent({ metadata }: Work): void {
    this.#sent.set(metadata.uid ?? "", { generation: metadata.generation ?? 0, at: performance.now() });
  }

  forget({ metadata }: Work): void {
    this.#sent.delete(metadata.uid ?? "");
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
