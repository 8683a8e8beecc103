// What of some templates is still on the host after they were let go of?
import { CRB_ID_LABEL, LET_GO_FINALIZER, RB_ID_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS, WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mapLimited } from "../access/limited.js";
import type { PlannedRollback } from "./plan.js";
import { grouped, readLabelledMetadata, readMetadata, type Bare } from "./read.js";
import type { Standing } from "./standing.js";

/** What is left; all by uid, so that namesakes made later do not count. */
export interface Remains {
  readonly templates: ReadonlyMap<string, Bare>;
  readonly bindings: ReadonlyMap<string, Bare>;
  readonly works: ReadonlyMap<string, Bare>;
}

/** Up to here templates are looked for one by one. */
const FEW = 8;

/** Asks for metadata only, and for all at once. @throws KubeError */
export async function readRemains(host: KubeClient, planned: readonly PlannedRollback[]): Promise<Remains> {
  const [templates, bindings, works] = await Promise.all([
    templatesLeft(host, planned),
    bindingsLeft(host, planned),
    worksLeft(host, planned),
  ]);
  return { templates: byUid(templates), bindings: byUid(bindings), works: byUid(works) };
}

const byUid = (objects: readonly Bare[]): ReadonlyMap<string, Bare> =>
  new Map(objects.map(object => [object.metadata.uid ?? "", object]));

async function templatesLeft(host: KubeClient, planned: readonly PlannedRollback[]): Promise<readonly Bare[]> {
  const names = planned.map(({ standing }) => standing.name);
  const groups = grouped(names, ({ resource, namespace = "" }) => `${resource.group}/${resource.plural} ${namespace}`);
  const found = await mapLimited(groups, async group => {
    const [{ resource, namespace }] = group;
    if (group.length > FEW) return readMetadata(host, resource, { namespace });
    const templates = new ResourceClient(host, resource);
    return Promise.all(group.map(name => templates.find(name)));
  });
  return found.flat().filter(object => object !== undefined);
}

async function bindingsLeft(host: KubeClient, planned: readonly PlannedRollback[]): Promise<readonly Bare[]> {
  const found = await Promise.all([
    readLabelledMetadata(host, RESOURCE_BINDINGS, RB_ID_LABEL, idsOf(planned, RB_ID_LABEL)),
    readLabelledMetadata(host, CLUSTER_RESOURCE_BINDINGS, CRB_ID_LABEL, idsOf(planned, CRB_ID_LABEL)),
  ]);
  return found.flat();
}

function idsOf(planned: readonly PlannedRollback[], label: string): readonly string[] {
  return planned.flatMap(({ standing }) => standing.binding?.metadata.labels?.[label] ?? []);
}

/** Works by their binding, and those that had none when they were seen first, by their own id. */
async function worksLeft(host: KubeClient, planned: readonly PlannedRollback[]): Promise<readonly Bare[]> {
  const made = [RB_ID_LABEL, CRB_ID_LABEL].map(label => [label, idsOf(planned, label)] as const);
  const bare = planned.filter(({ standing }) => !standing.binding).flatMap(({ standing }) => standing.works);
  const own = bare.flatMap(({ work }) => work.metadata.labels?.[WORK_ID_LABEL] ?? []);
  const lists = [...made, [WORK_ID_LABEL, own] as const];
  return (await Promise.all(lists.map(([label, ids]) => readLabelledMetadata(host, WORKS, label, ids)))).flat();
}

/** What of one template is still there, in words; `undefined`: it is let go of. Members in `away` are not waited for. */
export function stillThere(planned: PlannedRollback, remains: Remains, away: ReadonlySet<string>): string | undefined {
  const { standing, state, leaving, copies } = planned;
  const isWhole = state !== "gone" && !leaving;
  const own = isWhole ? chainWords(standing, remains) : undefined;
  if (own !== undefined) return own;
  const open = copies.find(copy => hasWork(copy, remains) && !away.has(copy.cluster));
  const { namespace, name } = open?.work?.metadata ?? {};
  return open && `Work ${namespace}/${name} is still there: ${open.cluster} has not been let go of`;
}

function chainWords({ template, binding }: Standing, { templates, bindings }: Remains): string | undefined {
  const left = template && templates.get(template.metadata.uid ?? "");
  if (left) return templateWords(left);
  return binding && bindings.has(binding.metadata.uid ?? "") ? "its binding is still there" : undefined;
}

function templateWords({ metadata }: Bare): string {
  const holders = (metadata.finalizers ?? []).filter(name => name !== LET_GO_FINALIZER);
  if (!metadata.deletionTimestamp) return "the template is still there";
  return holders.length > 0 ? `the template waits for ${holders.join(", ")}` : "the operator has not let go of it yet";
}

/** Whether the Work of a copy is still there. */
export function hasWork(copy: PlannedRollback["copies"][number], { works }: Remains): boolean {
  return copy.work !== undefined && works.has(copy.work.metadata.uid ?? "");
}
