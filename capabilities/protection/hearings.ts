// Is all that a policy about deletion has said so far on record?
import type { KubeObject } from "../../crds/object.js";
import { isUnheard } from "../../lib/domain/heard.js";
import type { AnyCascadePolicy, Host } from "../../lib/kube/host.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";
import { isUndecided } from "./plan.js";

/** True when every template of a namespace, or of all, has been looked at since whatever the stores hold came in. */
export type HasSeenAll = (namespace: string | undefined) => boolean;

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
    readonly hasSeenAll: HasSeenAll,
  ) {}

  /** True when its status may speak of its generation, or does. */
  isHeard(policy: AnyCascadePolicy): boolean {
    const { uid = "", generation } = policy.metadata;
    if (!isUnheard(policy)) {
      this.#byPolicy.delete(uid);
      return true;
    }
    const hearing = this.#hearing(policy, this.#byPolicy.get(uid));
    if (!hearing) return false;
    this.#byPolicy.set(uid, { ...hearing, generation });
    for (const [one, ref] of hearing.leaving) if (!this.#isLeaving(one, ref)) hearing.leaving.delete(one);
    return hearing.leaving.size === 0;
  }

  /** Nothing is waited for any more on behalf of one that is gone. */
  forget(uid: string): void {
    this.#byPolicy.delete(uid);
  }

  #hearing({ metadata }: AnyCascadePolicy, known: Hearing | undefined): Hearing | undefined {
    if (known?.generation === metadata.generation) return known;
    if (!this.hasSeenAll(metadata.namespace)) return undefined;
    return { generation: metadata.generation, leaving: new Map(this.#leavingIn(metadata.namespace)) };
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
