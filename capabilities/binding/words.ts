// What do the rules that were read say about one copy, together with what binding and Works have on record?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { wordFor, type PolicyWord } from "../../lib/domain/cascade.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { cascadeOfWork, recordedByWorks } from "../../lib/domain/work-word.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { withLapsed } from "../../lib/kube/lapses.js";
import type { RulesReading } from "./rules-at.js";

/** What a word is made from. */
export interface WordsInput {
  readonly template: KubeObject;
  readonly reading: Pick<RulesReading, "policy" | "rules" | "lapsed">;
  readonly binding: AnyBinding | undefined;
  readonly works: readonly Work[];
}

/** The word for a cluster; `undefined` when neither a rule nor a record says anything. */
export function wordIn(cluster: ClusterFacts, input: WordsInput): ClusterDeletion | undefined {
  const { template, reading, binding, works } = input;
  const recorded = withLapsed(
    reading.lapsed(cluster),
    binding ? (binding.spec.clusterDeletion ?? []) : recordedByWorks(works),
  );
  const policy = reading.policy ?? recordedPolicy(cluster.metadata.name, binding, works);
  const word = wordFor(cluster, {
    template,
    rules: reading.rules,
    policy: policy ?? { preserve: undefined, decidedBy: "" },
    recorded,
  });
  return policy === undefined && word.reason === "Default" ? undefined : word;
}

/** The last word of a policy that is gone. */
function recordedPolicy(
  cluster: string,
  binding: AnyBinding | undefined,
  works: readonly Work[],
): PolicyWord | undefined {
  if (binding) return { preserve: binding.spec.preserveResourcesOnDeletion ?? false, decidedBy: "binding" };
  const own = works.filter(({ metadata }) => metadata.namespace === executionNamespace(cluster));
  const witnesses = own.length > 0 ? own : works;
  if (witnesses.length === 0) return undefined;
  return { preserve: witnesses.some(work => cascadeOfWork(work) !== "background"), decidedBy: "Work" };
}
