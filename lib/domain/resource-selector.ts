// Does a policy's selector select this object, and how precisely?
import type { ResourceSelector } from "../../crds/affinity.js";
import type { KubeObject } from "../../crds/object.js";
import { matchesLabelSelector } from "./label-selector.js";

/** 0 not at all, 1 by kind alone, 2 by labels, 3 by name; a higher number is the more precise match. */
export type SelectorRank = 0 | 1 | 2 | 3;

/**
 * How precisely a selector selects a template. A namespaced policy selects in its own namespace only, whatever the
 * selector says (design 11); `policyNamespace` is `undefined` for a cluster policy. With a name, labels are not looked
 * at; a label selector that is written but empty counts as one by labels. Source: spec/karmada 4.2.
 */
export function selectorMatch(
  selector: ResourceSelector,
  template: KubeObject,
  policyNamespace: string | undefined,
): SelectorRank {
  if (selector.apiVersion !== template.apiVersion || selector.kind !== template.kind) return 0;

  const { name, namespace, labels } = template.metadata;
  const namespaces = [policyNamespace, selector.namespace || undefined].filter(wanted => wanted !== undefined);
  if (namespaces.some(wanted => wanted !== namespace)) return 0;

  if (selector.name) return selector.name === name ? 3 : 0;
  if (selector.labelSelector) return matchesLabelSelector(selector.labelSelector, labels) ? 2 : 0;
  return 1;
}

/** The most precise match among the selectors of one policy. */
export function bestSelectorMatch(
  selectors: readonly ResourceSelector[],
  template: KubeObject,
  policyNamespace: string | undefined,
): SelectorRank {
  return selectors.reduce<SelectorRank>((best, selector) => {
    const rank = selectorMatch(selector, template, policyNamespace);
    return rank > best ? rank : best;
  }, 0);
}
