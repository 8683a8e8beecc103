// What would change in every member that a template goes to?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace, namedObject, workName } from "../../lib/domain/names.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { visitMembers, type Fleet, type Visit } from "../access/fleet.js";
import { renderFor, workToBe, type TemplateFacts, type TemplatePlan } from "./plan.js";
import type { Policies } from "./policies.js";
import { previewObject, type Preview } from "./preview.js";

/** A template on its way, with everything that was decided about it. */
export interface Journey {
  readonly facts: TemplateFacts;
  readonly plan: TemplatePlan;
  readonly policies: Policies;
}

/** Asks the members that are meant and that it goes to, all at the same time; writes nothing. */
export function previewMembers(fleet: Fleet, journey: Journey): Promise<readonly Visit<Preview>[]> {
  const { targets } = journey.plan;
  const clusters = fleet.clusters.filter(({ metadata }) => targets.includes(metadata.name));
  return visitMembers({ ...fleet, clusters }, async member => {
    const work = await workIn(fleet.host.client, journey, member.cluster);
    const manifest = renderFor(journey.facts.template, member.cluster, journey.policies);
    const holderOf = (live: KubeObject) => holder(fleet.host.client, live, work);
    return previewObject({ member, work, manifest, holderOf });
  });
}

async function workIn(host: KubeClient, { facts, plan }: Journey, { metadata }: Cluster): Promise<Work> {
  const { template, works } = facts;
  const cluster = metadata.name;
  const existing = works.find(one => one.cluster === cluster)?.work;
  const plain = { namespace: executionNamespace(cluster), name: workName(namedObject(template)) };
  const taken = existing ? undefined : await new ResourceClient<Work>(host, WORKS).find(plain);
  return workToBe({ template, cluster, existing, taken, conflict: plan.conflict });
}

/** Another Work of ours that holds the object; a foreign id is Karmada's or an old host's. */
async function holder(host: KubeClient, live: KubeObject, work: Work): Promise<string | undefined> {
  const id = live.metadata.labels?.[WORK_ID_LABEL];
  if (!id) return undefined;
  const { items } = await new ResourceClient(host, WORKS).list({ labelSelector: `${WORK_ID_LABEL}=${id}` });
  const other = items.find(({ metadata: { namespace, name } }) => {
    return namespace !== work.metadata.namespace || name !== work.metadata.name;
  });
  return other && `${other.metadata.namespace}/${other.metadata.name}`;
}
