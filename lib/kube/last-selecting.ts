// What did a policy say when it last selected a template?
import type { KubeObject } from "../../crds/object.js";
import { bestSelectorMatch } from "../domain/resource-selector.js";
import type { AnyPolicy, Host } from "./host.js";
import { statesReader } from "./states.js";

/**
 * Answers the policy itself while it selects the template, else its last state that did: an edit by which it no longer
 * selects changes no decision (design 2). `undefined` when the host does not remember one.
 * @throws when the host does not answer: then nothing is decided
 */
export type LastSelecting = (policy: AnyPolicy, template: KubeObject) => Promise<AnyPolicy | undefined>;

/** Reads each generation of a policy's past once, from `policy` backwards, whatever the number of templates. */
export function lastSelectingReader(host: Pick<Host, "policiesLike">): LastSelecting {
  const statesOf = statesReader((policy: AnyPolicy) => host.policiesLike(policy).client);
  return async function lastSelecting(policy, template) {
    if (selects(policy, template)) return policy;
    return (await statesOf(policy)).find(state => selects(state, template));
  };
}

/** The labels of a template that is gone are not known any more: then any will do. */
function selects({ metadata, spec }: AnyPolicy, template: KubeObject): boolean {
  const { labels } = template.metadata;
  const selectors = labels
    ? spec.resourceSelectors
    : spec.resourceSelectors.map(({ labelSelector: _, ...rest }) => rest);
  return bestSelectorMatch(selectors, template, metadata.namespace) > 0;
}

/** What a policy's field says about a template; absent as in the policy. */
export interface Said {
  readonly preserve: boolean | undefined;
}

/**
 * The word of a policy, given its state that selected the template last; `undefined` where there is none to be found.
 * Whoever writes "keep" into one that no longer selects means it all the same.
 */
export function preserveSaid(policy: AnyPolicy, last: AnyPolicy | undefined): Said | undefined {
  if (policy.spec.preserveResourcesOnDeletion) return { preserve: true };
  return last && { preserve: last.spec.preserveResourcesOnDeletion };
}
