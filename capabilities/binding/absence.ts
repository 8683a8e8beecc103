// Is a template certainly gone, and what becomes of Works that nobody is left to speak for?
import type { Work } from "../../crds/work.js";
import { TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { Host } from "../../lib/kube/host.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";

/**
 * How long a template must be missing that nobody saw go, milliseconds: a restore brings bindings and templates back in any
 * order, and what runs must not go because its template comes second.
 */
const PATIENCE_MS = 20_000;
const REMEMBERED = 10_000;

/** Tells certain absence from a gap in what we know. */
export class Absences {
  readonly #missingSince = new Map<string, number>();

  constructor(
    readonly host: Pick<Host, "templates">,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** A deletion that we saw is proof at once; the server's word that there is no such object, after a while. */
  async isCertain(ref: TemplateRef, uid: string): Promise<boolean> {
    const collection = this.host.templates.of(ref.apiVersion, ref.kind);
    if (!collection) return false;
    if (collection.store.wasDeleted(uid)) return true;
    const live = await collection.client.find(ref);
    if (live?.metadata.uid === uid) {
      this.#missingSince.delete(uid);
      return false;
    }
    if (this.#missingSince.size > REMEMBERED) this.#missingSince.clear();
    const since = this.#missingSince.get(uid) ?? this.now();
    this.#missingSince.set(uid, since);
    return this.now() - since >= PATIENCE_MS;
  }
}

/** The template that Works were made from, as their manifest names it. */
export function templateBehind(works: readonly Work[]): TemplateRef | undefined {
  const manifest = works.find(work => work.spec.workload?.manifests?.length)?.spec.workload?.manifests?.[0];
  return manifest && templateRefOf(manifest);
}

/**
 * Works that outlived both their template and their binding: somebody took our finalizer off, or everything went while no
 * process ran. What each of them says about keeping is the last word there is. Answers whether some still have to wait.
 */
export async function removeLeftovers(
  host: Pick<Host, "works">,
  absences: Pick<Absences, "isCertain">,
  ref: TemplateRef,
  works: readonly Work[],
): Promise<boolean> {
  let waits = false;
  for (const work of works) {
    const uid = work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
    if (work.metadata.deletionTimestamp || !uid) continue;
    if (await absences.isCertain(ref, uid)) await host.works.delete(work);
    else waits = true;
  }
  return waits;
}
