// What does the host have about some templates: they themselves, their bindings, their Works?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, RB_ID_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import {
  bindingName,
  clusterOfExecutionNamespace,
  executionNamespace,
  workName,
  workPermanentId,
} from "../../lib/domain/names.js";
import type { KubeClient } from "../../lib/kube/client.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS, WORKS } from "../../lib/kube/kinds.js";
import { groupKindOf, ResourceClient } from "../../lib/kube/resource.js";
import { namedObject } from "../../lib/domain/names.js";
import { mapLimited } from "../access/limited.js";
import { objectKey } from "../view/adoption.js";
import { type PlacedWork } from "../view/chain.js";
import { grouped, readLabelled, readNamed } from "./read.js";
import { referenceOf, type Reference, type TemplateName } from "./request.js";

/** All that the host has about one template. */
export interface Standing {
  readonly name: TemplateName;
  /** Without apiVersion of an object that is there: as the host serves its kind. */
  readonly reference: Reference;
  readonly template: KubeObject | undefined;
  readonly binding: AnyBinding | undefined;
  /** By cluster; also those that have outlived template and binding. */
  readonly works: readonly PlacedWork[];
}

/** In the order of the names. `clusters`: where Works may be of which no binding tells. @throws KubeError */
export async function readStandings(
  host: KubeClient,
  names: readonly TemplateName[],
  clusters: readonly string[],
): Promise<readonly Standing[]> {
  const [templates, bindings] = await Promise.all([templatesOf(host, names), bindingsOf(host, names)]);
  const bare = names.map(name => {
    const reference = referenceOf(name);
    const key = objectKey(reference);
    return { name, reference, key, template: templates.get(key), binding: bindings.get(key) };
  });
  const [made, left] = await Promise.all([
    worksOfBindings(host, [...bindings.values()]),
    worksLeft(
      host,
      bare.filter(({ binding }) => !binding).map(({ reference }) => reference),
      clusters,
    ),
  ]);
  const works = grouped([...made, ...left], ({ work }) => keyOfWork(work));
  const byKey = new Map(works.map(group => [keyOfWork(group[0].work), [...group].sort(byCluster)]));
  return bare.map(({ key, ...standing }) => ({ ...standing, works: byKey.get(key) ?? [] }));
}

/** Which object a Work carries, as `objectKey`. */
export function keyOfWork({ spec }: Work): string {
  const [manifest] = spec.workload?.manifests ?? [];
  return manifest ? objectKey(manifest) : "";
}

function byCluster(a: PlacedWork, b: PlacedWork): number {
  return a.cluster < b.cluster ? -1 : 1;
}

/** The templates that are there, by `objectKey`. @throws KubeError */
export async function templatesOf(
  host: KubeClient,
  names: readonly TemplateName[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const groups = grouped(names, ({ resource, namespace = "" }) => `${groupKindOf(resource)} ${namespace}`);
  const found = await mapLimited(groups, group => readNamed(new ResourceClient(host, group[0].resource), group));
  return new Map(found.flat().map(object => [objectKey(object), object]));
}

async function bindingsOf(host: KubeClient, names: readonly TemplateName[]): Promise<ReadonlyMap<string, AnyBinding>> {
  const groups = grouped(names, ({ namespace = "" }) => namespace);
  const found = await mapLimited(groups, group => bindingsIn(host, group));
  const wanted = new Set(names.map(name => objectKey(referenceOf(name))));
  return new Map(found.flat().flatMap(binding => (wanted.has(keyOf(binding)) ? [[keyOf(binding), binding]] : [])));
}

/** Under its plain name, or the one with a suffix where two kinds share that (design 7). */
function bindingsIn(
  host: KubeClient,
  names: readonly [TemplateName, ...TemplateName[]],
): Promise<readonly AnyBinding[]> {
  const { namespace } = names[0];
  const resource = namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS;
  const candidates = names.flatMap(name => {
    const named = namedObject(referenceOf(name));
    return [bindingName(named), bindingName(named, { suffix: true })].map(of => ({ namespace, name: of }));
  });
  return readNamed(new ResourceClient<AnyBinding>(host, resource), candidates);
}

function keyOf({ spec: { resource }, metadata: { namespace } }: AnyBinding): string {
  const { group, kind } = gvkOf(resource);
  return [group, kind, namespace ?? "", resource.name].join("|");
}

/** The Works that some bindings have made. @throws KubeError */
export async function worksOfBindings(
  host: KubeClient,
  bindings: readonly AnyBinding[],
): Promise<readonly PlacedWork[]> {
  const works = new ResourceClient<Work>(host, WORKS);
  const found = await Promise.all(
    [RB_ID_LABEL, CRB_ID_LABEL].map(label => {
      const ids = bindings.flatMap(({ metadata }) => metadata.labels?.[label] ?? []);
      return readLabelled(works, label, ids);
    }),
  );
  return found.flat().map(placed);
}

/** The Works that carry these objects and that no binding tells of. */
async function worksLeft(
  host: KubeClient,
  references: readonly Reference[],
  clusters: readonly string[],
): Promise<readonly PlacedWork[]> {
  const ids = references.flatMap(reference => workIdsOf(reference, clusters));
  const found = await readLabelled(new ResourceClient<Work>(host, WORKS), WORK_ID_LABEL, ids);
  const wanted = new Set(references.map(objectKey));
  return found.filter(work => wanted.has(keyOfWork(work))).map(placed);
}

function workIdsOf(reference: Reference, clusters: readonly string[]): readonly string[] {
  const named = namedObject(reference);
  const names = [workName(named), workName(named, { suffix: true })];
  return clusters.flatMap(cluster => names.map(name => workPermanentId(executionNamespace(cluster), name)));
}

function placed(work: Work): PlacedWork {
  return { cluster: clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "", work };
}
