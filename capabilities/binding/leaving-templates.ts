// Which templates are leaving, and how did each look when that was first seen?
import type { KubeObject } from "../../crds/object.js";
import type { StoreChange } from "../../lib/kube/store.js";
import type { TemplateRef } from "../../lib/kube/templates.js";
import type { Leaving } from "./decisions.js";
import { holdsForUs } from "./plan.js";

/**
 * Remembers a template from the moment when its deletion was seen until it is gone. Memory only: what was not seen, the
 * server is asked about, and a binding that is still there leads to its template.
 */
export class LeavingTemplates {
  readonly #seen = new Map<string, Leaving>();
  readonly #waiting = new Map<string, TemplateRef>();

  /** To be told of every change of a Terminating template; `key` is its binding's. */
  note(key: string, ref: TemplateRef, { before, after, watched = false }: StoreChange): void {
    if (!after?.metadata.deletionTimestamp) return;
    const { uid = "" } = after.metadata;
    const witnessed = watched && before?.metadata.uid === uid && !before.metadata.deletionTimestamp;
    if (!this.#seen.has(uid)) this.#seen.set(uid, { template: after, witnessed });
    if (holdsForUs(after)) this.#waiting.set(key, ref);
  }

  /** To be told when a template is gone. */
  forget(key: string, uid: string): void {
    this.#seen.delete(uid);
    this.#waiting.delete(key);
  }

  /** The template that waits to be decided about, by the key of its binding: that may go before it. */
  behind(key: string): TemplateRef | undefined {
    return this.#waiting.get(key);
  }

  /** How it looked; as it is now, unwitnessed, when this process has not seen it yet. */
  firstSight(template: KubeObject): Leaving {
    return this.#seen.get(template.metadata.uid ?? "") ?? { template, witnessed: false };
  }
}
