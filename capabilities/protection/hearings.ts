// Is all that a policy about deletion has said so far on record?
import type { KubeObject } from "../../crds/object.js";
import { isUnheard } from "../../lib/domain/heard.js";
import { titleOf } from "../../lib/domain/title.js";
import type { AnyCascadePolicy, Host } from "../../lib/kube/host.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";
import { isUndecided } from "./plan.js";

/**
 * For people: a template of a namespace, or of any, that has not been looked at since what the stores hold came in; `undefined`
 * when all have been.
 */
export type FirstUnseen = (namespace: string | undefined) => string | undefined;

/** What is still waited for before the policy's status may speak of this generation. */
interface Hearing {
  readonly generation: number | undefined;
  /** By uid: templates that were leaving when all had been looked at, and may be decided about by what was said before. */
  readonly leaving: Map<string, TemplateRef>;
}

/** Remembers for each policy whom it waits for: templates that begin to leave later have its words on record. */
export class Hearings {
  readonly #byPolicy = new Map<string, Hearing>();

  constructor(
    readonly host: Pick<Host, "templates">,
    readonly firstUnseen: FirstUnseen,
  ) {}

  /** For people: what its status waits for before it may speak of its generation; `undefined` when it may, or does. */
  waitsFor(policy: AnyCascadePolicy): string | undefined {
    const { uid = "", generation, namespace } = policy.metadata;
    const known = this.#byPolicy.get(uid);
    if (!isUnheard(policy)) {
      this.#byPolicy.delete(uid);
      return undefined;
    }
    if (known && known.generation === generation) return this.#stillLeaving(known);
    const unseen = this.firstUnseen(namespace);
    if (unseen !== undefined) return unseen;
    const hearing = { generation, leaving: new Map(this.#leavingIn(namespace)) };
    this.#byPolicy.set(uid, hearing);
    return this.#stillLeaving(hearing);
  }

  /** Nothing is waited for any more on behalf of one that is gone. */
  forget(uid: string): void {
    this.#byPolicy.delete(uid);
  }

  #stillLeaving({ leaving }: Hearing): string | undefined {
    for (const [uid, ref] of leaving) if (!this.#isLeaving(uid, ref)) leaving.delete(uid);
    const [first] = leaving.values();
    return first && titleOf({ kind: first.kind, metadata: first });
  }

  #leavingIn(namespace: string | undefined): (readonly [string, TemplateRef])[] {
    const isThere = ({ metadata }: KubeObject) => !namespace || metadata.namespace === namespace;
    return [...this.host.templates.collections()]
      .flatMap(({ store }) => [...store.values()])
      .filter(template => isThere(template) && isUndecided(template))
      .map(template => [template.metadata.uid ?? "", templateRefOf(template)]);
  }

  #isLeaving(uid: string, ref: TemplateRef): boolean {
    const template = this.host.templates.find(ref);
    return template !== undefined && template.metadata.uid === uid && isUndecided(template);
  }
}
