// What is a policy about deletion about, as the stores have it?
import type { KubeObject } from "../../crds/object.js";
import { describeRule, wordFor, type CascadeRule, type ClusterWord } from "../../lib/domain/cascade.js";
import { claimOf } from "../../lib/domain/claims.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import { bestSelectorMatch } from "../../lib/domain/resource-selector.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { rulesAbout } from "../../lib/kube/cascade-rules.js";
import { POLICIES_BY_KIND, selectedKind, type AnyBinding, type AnyCascadePolicy } from "../../lib/kube/host.js";
import { templateKey, templateRefOf } from "../../lib/kube/templates.js";
import type { Hearings } from "./hearings.js";
import type { Idle, Seen, View } from "./plan.js";

/** Of the rules only their rank counts here: what the propagation policy says is asked by nobody. */
const NO_WORD = { preserve: undefined, decidedBy: "" };

/** What a view is made from. */
export interface Sources extends Pick<Dependencies, "host" | "ownNamespace"> {
  readonly hearings: Pick<Hearings, "waitsFor">;
}

/** Everything that a policy is about, and what holds there. */
export function viewOf({ host, ownNamespace, hearings }: Sources, policy: AnyCascadePolicy): View {
  const { resourceSelectors } = policy.spec;
  const { namespace } = policy.metadata;
  const kinds = new Map(resourceSelectors.map(s => [`${s.apiVersion} ${s.kind}`, s]));
  const bindings = [...host.bindings.store.values(), ...(namespace ? [] : host.clusterBindings.store.values())].filter(
    ({ metadata, spec, spec: { resource } }) =>
      (!namespace || metadata.namespace === namespace) &&
      (kinds.has(`${resource.apiVersion} ${resource.kind}`) || hasOnRecord(spec, policy)),
  );
  const bound = new Set(bindings.map(({ spec }) => templateKey(spec.resource)));
  const unbound = [...kinds.values()]
    .flatMap(({ apiVersion, kind }) => [...(host.templates.of(apiVersion, kind)?.store.values() ?? [])])
    .filter(template => !bound.has(templateKey(templateRefOf(template))) && rankOf(template) > 0);
  return {
    policy,
    seen: bindings.map(seen),
    idle: unbound.map(idle),
    unknownKinds: [...kinds].flatMap(([name, s]) => (host.discovery.find(s.apiVersion, s.kind) ? [] : [name])),
    waitsFor: hearings.waitsFor(policy),
  };

  function rankOf(template: KubeObject): number {
    return bestSelectorMatch(resourceSelectors, template, namespace);
  }

  function seen(binding: AnyBinding): Seen {
    const template = host.templates.find(binding.spec.resource);
    if (!template) return { binding, template, selected: false, words: [] };
    return { binding, template, selected: rankOf(template) > 0, words: wordsFor(template, binding) };
  }

  function wordsFor(template: KubeObject, { spec }: AnyBinding): ClusterWord[] {
    const recorded = spec.clusterDeletion ?? [];
    const input = { template, rules: rulesAbout(host, template), policy: NO_WORD, recorded };
    return (spec.clusters ?? []).map(({ name }) =>
      wordFor(host.clusters.get(name) ?? { metadata: { name }, spec: {} }, input),
    );
  }

  function idle(template: KubeObject): Idle {
    return { template, awaited: !template.metadata.deletionTimestamp && willBeBound(template) };
  }

  function willBeBound(template: KubeObject): boolean {
    if (claimOf(template)) return true;
    const { apiVersion, kind } = template;
    const own = selectedKind(apiVersion, kind, template.metadata.namespace);
    const candidates = [
      ...host.policies.store.byIndex(POLICIES_BY_KIND, own),
      ...host.clusterPolicies.store.byIndex(POLICIES_BY_KIND, selectedKind(apiVersion, kind, undefined)),
    ];
    return candidates.some(({ metadata, spec }) => {
      const rank = bestSelectorMatch(spec.resourceSelectors, template, metadata.namespace);
      return (
        rank > 0 && !metadata.deletionTimestamp && !whyNeverTemplate(template, { named: rank === 3, ownNamespace })
      );
    });
  }
}

/** An edit by which it no longer selects changes no decision: its word is the last one there (design 2). */
function hasOnRecord({ clusterDeletion = [] }: AnyBinding["spec"], policy: CascadeRule): boolean {
  return clusterDeletion.some(({ decidedBy }) => decidedBy === describeRule(policy));
}
