// Sets the word on templates, and knows when it has reached every Work.
import type { KubeObject } from "../../crds/object.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Work } from "../../crds/work.js";
import { CASCADE_DELETION_ANNOTATION, CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { cascadeOfWork } from "../../lib/domain/work-word.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isConflict } from "../../lib/kube/errors.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { readLabelled } from "./read.js";
import type { Standing } from "./standing.js";

/** What the template itself says; `undefined`: nothing. */
export function wordOn(template: KubeObject): string | undefined {
  return template.metadata.annotations?.[CASCADE_DELETION_ANNOTATION];
}

const TRIES = 5;

/**
 * Writes the word, or takes it off with `undefined`; a template that says so already is not written. Guarded by uid and
 * version: another write in between is read first. `undefined`: it is gone, or is another one, or is being deleted.
 * @throws KubeError
 */
export async function setWord(
  host: KubeClient,
  { name: { resource } }: Standing,
  template: KubeObject,
  word: string | undefined,
): Promise<KubeObject | undefined> {
  const templates = new ResourceClient(host, resource);
  let current: KubeObject | undefined = template;
  for (let attempt = 1; current && isSame(current, template); attempt++) {
    if (wordOn(current) === word) return current;
    const { uid, resourceVersion } = current.metadata;
    const annotations = { [CASCADE_DELETION_ANNOTATION]: word ?? null };
    try {
      return await templates.mergePatch(current.metadata, { metadata: { uid, resourceVersion, annotations } });
    } catch (error) {
      if (!isConflict(error) || attempt >= TRIES) throw error;
      current = await templates.find(current.metadata);
    }
  }
  return undefined;
}

/** The same object, and nobody has deleted it. */
function isSame({ metadata }: KubeObject, template: KubeObject): boolean {
  return metadata.uid === template.metadata.uid && metadata.deletionTimestamp === undefined;
}

/** The Works of some bindings as they are now, by the uid of the binding. @throws KubeError */
export async function worksByBinding(
  host: KubeClient,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, readonly Work[]>> {
  const works = new ResourceClient<Work>(host, WORKS);
  const byId = new Map<string, Work[]>();
  for (const label of [RB_ID_LABEL, CRB_ID_LABEL]) {
    const ids = standings.flatMap(({ binding }) => binding?.metadata.labels?.[label] ?? []);
    for (const work of await readLabelled(works, label, ids)) {
      const id = work.metadata.labels?.[label] ?? "";
      byId.set(id, [...(byId.get(id) ?? []), work]);
    }
  }
  return new Map(standings.map(({ binding }) => [binding?.metadata.uid ?? "", byId.get(bindingId(binding)) ?? []]));
}

function bindingId(binding: Standing["binding"]): string {
  const labels = binding?.metadata.labels ?? {};
  return labels[RB_ID_LABEL] ?? labels[CRB_ID_LABEL] ?? "";
}

/** Whether every Work that stays, or is on its way, says so. */
export function allSay(works: readonly Work[], word: Cascade): boolean {
  return works.every(work => work.metadata.deletionTimestamp !== undefined || cascadeOfWork(work) === word);
}
