// What a binding has on record about the end of its copies: the outcome of the rules, by cluster.
import type { ClusterDeletion, TargetCluster } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { recordOf, wordFor, type PolicyWord } from "../../lib/domain/cascade.js";
import { recordedByWorks } from "../../lib/domain/work-word.js";
import { sameMetadata } from "../../lib/kube/changes.js";
import { rulesAbout, type CascadePolicies } from "../../lib/kube/cascade-rules.js";
import { withLapsed, type Lapses } from "../../lib/kube/lapses.js";
import type { AnyBinding, AnyCascadePolicy, Host } from "../../lib/kube/host.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { clustersOf } from "./remembered.js";

/** What the record is made from. */
export interface RecordRequest {
  readonly template: KubeObject;
  readonly policy: PolicyWord;
  readonly targets: readonly TargetCluster[];
  readonly existing: AnyBinding | undefined;
  /** The Works of the template, also where it no longer goes: what becomes of those copies must stay on record. */
  readonly works: readonly Work[];
  /** What rules said before an edit that nobody heard in time. */
  readonly lapsed: Lapses;
}

/** The entries for `binding.spec.clusterDeletion`; `undefined` while only the policy's field decides. */
export function deletionRecord(
  host: Pick<Host, "clusters"> & CascadePolicies,
  { template, policy, targets, existing, works, lapsed }: RecordRequest,
): readonly ClusterDeletion[] | undefined {
  const recorded = existing ? (existing.spec.clusterDeletion ?? []) : recordedByWorks(works);
  const rules = rulesAbout(host, template);
  const left = clustersOf(works).filter(({ name }) => saysAnything(name));
  const places = [...new Set([...targets, ...left].map(({ name }) => name))];
  return recordOf(places.map(wordAt));

  function wordAt(name: string) {
    const cluster = factsOf(name);
    return wordFor(cluster, { template, rules, policy, recorded: withLapsed(lapsed(cluster), recorded) });
  }

  /** Of places that it leaves, or has left: what becomes of the copies there must stay on record. */
  function saysAnything(name: string): boolean {
    return recorded.some(entry => entry.name === name) || lapsed(factsOf(name)) !== undefined;
  }

  function factsOf(name: string): ClusterFacts {
    return host.clusters.get(name) ?? { metadata: { name }, spec: {} };
  }
}

/**
 * The templates that a changed policy about deletion may concern. What it selected before counts too: its word stays on
 * record, but another policy may be the next in rank now.
 */
export function templatesAbout(
  { templates }: Pick<Host, "templates">,
  { before, after }: StoreChange<AnyCascadePolicy>,
): KubeObject[] {
  if (before && after && sameMetadata(before, after)) return [];
  const states = [before, after].filter(policy => policy !== undefined);
  const namespace = states[0]?.metadata.namespace;
  const kinds = new Map(
    states.flatMap(({ spec }) => spec.resourceSelectors).map(s => [`${s.apiVersion}|${s.kind}`, s]),
  );
  const selected = [...kinds.values()].flatMap(s => [...(templates.of(s.apiVersion, s.kind)?.store.values() ?? [])]);
  return selected.filter(template => !namespace || namespace === template.metadata.namespace);
}
