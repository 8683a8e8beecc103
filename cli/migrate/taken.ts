// Has the operator taken an object over, or why not?
import { gvkOf, type Condition, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { TEMPLATE_GENERATION_ANNOTATION, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace, workName, workPermanentId } from "../../lib/domain/names.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { readLabelled } from "../rollback/read.js";
import { worksByObject } from "../view/adoption.js";

/** `applied`: it is the very object of before, as its template says · `failed`: it was tried · `pending`: not yet. */
export type Taken =
  | { readonly state: "applied" }
  | { readonly state: "pending" | "failed"; readonly why: string }
  | { readonly state: "replaced"; readonly why: string };

/** `uid`: of the object in the member before; `template`: as the host has it. Pure. */
export function takenOf(work: Work | undefined, template: KubeObject, uid: string): Taken {
  if (!work) return { state: "pending", why: `it has no Work yet; ${IS_UP}` };
  if (!holdsLastEdit(work, template)) {
    return { state: "pending", why: `its Work does not hold the template's last edit yet; ${IS_UP}` };
  }
  return outcomeOf(work, uid);
}

const IS_UP = "see that the operator runs (kubectl -n holdfast-system get pods)";

function outcomeOf(work: Work, uid: string): Taken {
  const applied = currentlyApplied(work);
  if (!applied) return { state: "pending", why: "it has not been applied yet" };
  if (applied.status !== "True") return { state: "failed", why: applied.message ?? "it could not be applied" };
  const holder = work.status?.manifestStatuses?.[0]?.uid;
  if (holder === undefined) return { state: "pending", why: "it is not known yet which object was applied" };
  if (holder === uid) return { state: "applied" };
  return { state: "replaced", why: "it is another object in the member than before" };
}

/** What was said about an earlier Work says nothing about this one. */
function currentlyApplied(work: Work): Condition | undefined {
  const applied = conditionOf(work, "Applied");
  return (applied?.observedGeneration ?? 0) >= (work.metadata.generation ?? 0) ? applied : undefined;
}

/** Kinds without a generation cannot tell. */
function holdsLastEdit({ metadata: { annotations } }: Work, { metadata: { generation } }: KubeObject): boolean {
  const rendered = annotations?.[TEMPLATE_GENERATION_ANNOTATION];
  return generation === undefined || rendered === undefined || Number(rendered) >= generation;
}

/** The Works of some templates in one member, by `objectKey`; by a request for every 75 of them. @throws KubeError */
export async function worksFor(
  host: KubeClient,
  cluster: string,
  templates: readonly KubeObject[],
): Promise<ReadonlyMap<string, Work>> {
  const ids = templates.flatMap(template => idsOf(template, executionNamespace(cluster)));
  const works = await readLabelled(new ResourceClient<Work>(host, WORKS), WORK_ID_LABEL, ids);
  return worksByObject(works);
}

/** Under its plain name, or the one with a suffix (design 7). */
function idsOf(template: KubeObject, namespace: string): readonly string[] {
  const { namespace: own, name } = template.metadata;
  const named = { group: gvkOf(template).group, kind: template.kind, namespace: own, name };
  return [workName(named), workName(named, { suffix: true })].map(work => workPermanentId(namespace, work));
}
