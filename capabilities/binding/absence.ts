// Is a template certainly gone, and what becomes of Works that nobody is left to speak for?
import type { Work } from "../../crds/work.js";
import { TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { Host } from "../../lib/kube/host.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";

/** Absence in a cache is a hint; a deletion that we saw, or the server's own word, is proof. */
export async function isGone(host: Pick<Host, "templates">, ref: TemplateRef, uid: string): Promise<boolean> {
  const collection = host.templates.of(ref.apiVersion, ref.kind);
  if (!collection) return false;
  if (collection.store.wasDeleted(uid)) return true;
  const live = await collection.client.find(ref);
  return live?.metadata.uid !== uid;
}

/** The template that Works were made from, as their manifest names it. */
export function templateBehind(works: readonly Work[]): TemplateRef | undefined {
  const manifest = works.find(work => work.spec.workload?.manifests?.length)?.spec.workload?.manifests?.[0];
  return manifest && templateRefOf(manifest);
}

/**
 * Works that outlived both their template and their binding: somebody took our finalizer off, or everything went while no
 * process ran. What each of them says about keeping is the last word there is.
 */
export async function removeLeftovers(
  host: Pick<Host, "templates" | "works">,
  ref: TemplateRef,
  works: readonly Work[],
): Promise<void> {
  for (const work of works) {
    const uid = work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
    if (work.metadata.deletionTimestamp || !uid || !(await isGone(host, ref, uid))) continue;
    await host.works.delete(work);
  }
}
