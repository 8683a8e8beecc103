// What becomes of the copies of one template when it leaves, is gone, or leaves a place: reads, then decides.
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { cascadeOf, type CascadeRule } from "../../lib/domain/cascade.js";
import { claimOf } from "../../lib/domain/claims.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { departuresReader } from "./departures.js";
import { deletionOf, lastLeaving, witnessedDeletion, type Deletion } from "./deletion-history.js";
import {
  decide,
  mayBeWrittenSinceDeletion,
  recordedCascade,
  wasOrphaned,
  type Certainty,
  type Decisions,
} from "./plan.js";
import { recordAt } from "./record-at.js";
import { rulesReader, type RulesReading } from "./rules-at.js";
import { wordIn } from "./words.js";

/** A template whose deletion has been seen. */
export interface Leaving {
  /** As it was when that was first seen. */
  readonly template: KubeObject;
  /** A watch told of the deletion as it happened. Otherwise somebody may have written to the template since. */
  readonly witnessed: boolean;
}

/** Each reads what it needs from the server. @throws when that does not answer: then nothing is decided. */
export interface DecisionMaker {
  /** A Terminating template: as of the moment when its deletion was accepted. */
  leaving(binding: AnyBinding | undefined, works: readonly Work[], seen: Leaving): Promise<Decisions>;
  /** A template that is certainly gone, and that nobody saw go. */
  absent(binding: AnyBinding, works: readonly Work[]): Promise<Decisions>;
  /** A template that leaves places, those of the Works: as of the edit by which it left. */
  places(template: KubeObject, binding: AnyBinding, works: readonly Work[]): Promise<Decisions>;
  /** What would become of a template's copies if it left now. */
  now(template: KubeObject, binding: AnyBinding, works: readonly Work[]): Promise<Words>;
}

/** The word for a cluster; `undefined` when nothing is known that could give one. */
export type Words = (cluster: string) => ClusterDeletion | undefined;

/** Decides about copies. */
export function decisionMaker({ host }: Pick<Dependencies, "host">): DecisionMaker {
  const rules = rulesReader({ host });
  const departures = departuresReader(host, rules, factsOf);

  async function deletionSeen({ template, witnessed }: Leaving): Promise<Deletion> {
    if (witnessed) return witnessedDeletion(template);
    const client = host.templates.of(template.apiVersion, template.kind)?.client;
    if (!client) return { ...witnessedDeletion(template), certain: false };
    const deletion = await deletionOf(client, template);
    if (deletion.certain) return deletion;
    const live = await client.find(template.metadata);
    return { ...deletion, certain: live !== undefined && !mayBeWrittenSinceDeletion(live) };
  }

  function factsOf(cluster: string): ClusterFacts {
    return host.clusters.get(cluster) ?? { metadata: { name: cluster }, spec: {} };
  }

  /** A process that died after it had decided leaves enough to decide alike. */
  async function lastSightOf(binding: AnyBinding, works: readonly Work[]): Promise<KubeObject | undefined> {
    const { apiVersion, kind, namespace, name, uid } = binding.spec.resource;
    const client = host.templates.of(apiVersion, kind)?.client;
    const revisions = [binding, ...works].map(({ metadata }) => metadata.resourceVersion);
    return client && lastLeaving(client, { namespace, name, uid }, revisions);
  }

  const maker: DecisionMaker = {
    async leaving(binding, works, seen) {
      const deletion = await deletionSeen(seen);
      const { template } = deletion;
      const orphaned = deletion.orphaned || (!deletion.certain && wasOrphaned(template, binding));
      const { resourceVersion } = template.metadata;
      const reading = await rules(template, claimOf(template), resourceVersion);
      const record = await recordAt(host, { binding, works }, resourceVersion);
      const departed = await departures({
        live: template,
        until: resourceVersion,
        binding,
        works,
        policy: reading.holder,
      });
      return cluster => {
        const facts = factsOf(cluster);
        const word = wordIn(facts, { template, reading, ...record });
        const recorded = recordedCascade(record.binding, record.works, cluster);
        const certainty = certaintyOf(deletion, reading, word);
        return departed.get(cluster) ?? decide({ orphaned, word, recorded, certainty });
      };
    },

    async absent(binding, works) {
      const last = await lastSightOf(binding, works);
      if (last) return maker.leaving(binding, works, { template: last, witnessed: false });
      const { resource } = binding.spec;
      const { namespace, name, uid } = resource;
      // What its labels and annotations were is not known any more.
      const template = { ...resource, metadata: { namespace, name, uid } };
      const orphaned = wasOrphaned(template, binding);
      const reading = await rules(template, claimOf(binding), undefined);
      const doubted = reading.holderUnheard || reading.rules.some(rule => mayHaveKept(rule, resource));
      return cluster => {
        const word = wordIn(factsOf(cluster), { template, reading, binding, works });
        const recorded = recordedCascade(binding, works, cluster);
        return decide({ orphaned, word, recorded, certainty: doubted ? "edited" : "late" });
      };
    },

    async places(template, binding, works) {
      const live = await host.templates.of(template.apiVersion, template.kind)?.client.find(template.metadata);
      if (live?.metadata.uid !== template.metadata.uid || !live || live.metadata.deletionTimestamp) {
        throw new Error("the template is leaving as well");
      }
      const claim = claimOf(live);
      const policy = claim && host.policyOf(claim);
      const departed = await departures({ live, binding, works, policy });
      const reading = await rules(live, claim, undefined);
      return cluster => {
        const word = wordIn(factsOf(cluster), { template: live, reading, binding, works });
        const recorded = recordedCascade(binding, works, cluster);
        return departed.get(cluster) ?? decide({ orphaned: false, word, recorded, certainty: "exact" });
      };
    },

    async now(template, binding, works) {
      const reading = await rules(template, claimOf(template), undefined);
      return cluster => wordIn(factsOf(cluster), { template, reading, binding, works });
    },
  };
  return maker;
}

/** The annotation is part of the template; of the rules it does not matter whether they have changed. */
function certaintyOf(deletion: Deletion, reading: RulesReading, word: ClusterDeletion | undefined): Certainty {
  if (word?.reason === "TemplateAnnotation") return deletion.certain ? "exact" : "late";
  if (reading.exact && deletion.certain) return "exact";
  return reading.moved ? "edited" : "late";
}

/** True when a rule may have been about an object whose labels are not known any more, and does not delete. */
function mayHaveKept(rule: CascadeRule, { apiVersion, kind, name }: AnyBinding["spec"]["resource"]): boolean {
  if (cascadeOf(rule) === "background") return false;
  return rule.spec.resourceSelectors.some(
    s => s.apiVersion === apiVersion && s.kind === kind && (!s.name || s.name === name),
  );
}
