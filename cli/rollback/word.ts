// Sets the word on templates, and knows when it has reached every Work.
import type { KubeObject } from "../../crds/object.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Work } from "../../crds/work.js";
import { CASCADE_DELETION_ANNOTATION, CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { cascadeOfWork } from "../../lib/domain/work-word.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isConflict, isNotFound } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { grouped } from "./read.js";
import { worksOfBindings, type Standing } from "./standing.js";

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
      if (isNotFound(error)) return undefined;
      if (!isConflict(error) || attempt >= TRIES) throw error;
      current = await templates.find(current.metadata);
    }
  }
  return undefined;
}

/** Gives a template the word of before again, unless another one is there by now, or another word. @throws KubeError */
export async function takeWordBack(host: KubeClient, standing: Standing, word: Cascade): Promise<void> {
  const { template, name } = standing;
  const live = template && (await new ResourceClient(host, name.resource).find(template.metadata));
  if (!live || !isSame(live, template) || wordOn(live) !== word) return;
  await setWord(host, standing, live, wordOn(template));
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
  const bindings = standings.flatMap(({ binding }) => binding ?? []);
  const works = (await worksOfBindings(host, bindings)).map(({ work }) => work);
  const byId = new Map(grouped(works, bindingId).map(group => [bindingId(group[0]), group]));
  return new Map(bindings.map(binding => [binding.metadata.uid ?? "", byId.get(bindingId(binding)) ?? []]));
}

/** The id of a binding, which its Works bear as well. */
function bindingId({ metadata: { labels } }: Pick<KubeObject, "metadata">): string {
  return labels?.[RB_ID_LABEL] ?? labels?.[CRB_ID_LABEL] ?? "";
}

/** Whether every Work that stays, or is on its way, says so. */
export function allSay(works: readonly Work[], word: Cascade): boolean {
  return works.every(work => work.metadata.deletionTimestamp !== undefined || cascadeOfWork(work) === word);
}
