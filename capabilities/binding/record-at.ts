// What was on record about the copies of a template at a revision?
import type { Work } from "../../crds/work.js";
import {
  CRB_NAME_ANNOTATION,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
} from "../../lib/domain/marks.js";
import { FORGOTTEN, listAt, stateAt } from "../../lib/kube/history.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";
import { laterOf } from "../../lib/kube/revision.js";

/** Where words stand on record: on the binding or, when that is gone, on the Works. */
export interface OnRecord {
  readonly binding: AnyBinding | undefined;
  readonly works: readonly Work[];
}

/**
 * The words that were on record then: one that was written since comes too late, and one that has been taken off stood. As
 * they are where that is past reading. A binding that is gone counts as it last was.
 * @throws when the host does not answer: then nothing is decided
 */
export async function recordAt(
  host: Pick<Host, "bindingsLike" | "works">,
  { binding, works }: OnRecord,
  revision: string | undefined,
): Promise<OnRecord> {
  const last = binding ?? (await lastBinding(host, works, revision));
  if (last) return { binding: await bindingAt(host, last, revision), works };
  const then = await Promise.all(works.map(work => stateAt(host.works.client, work, revision)));
  return {
    binding,
    works: then.flatMap((state, index) => (state === FORGOTTEN ? (works[index] ?? []) : (state ?? []))),
  };
}

/**
 * A binding that somebody has deleted since, as its Works last knew it: what it said came from the policy, and its Works may
 * not have heard it yet.
 */
async function lastBinding(
  host: Pick<Host, "bindingsLike">,
  works: readonly Work[],
  revision: string | undefined,
): Promise<AnyBinding | undefined> {
  const [first] = works;
  const { [RB_NAMESPACE_ANNOTATION]: namespace, ...annotations } = first?.metadata.annotations ?? {};
  const name = annotations[RB_NAME_ANNOTATION] ?? annotations[CRB_NAME_ANNOTATION];
  if (!name || revision === undefined) return undefined;
  const { client } = host.bindingsLike({ metadata: { namespace } });
  const latest = works.map(({ metadata }) => metadata.resourceVersion).reduce(laterOf, revision);
  for (const moment of new Set([latest, revision])) {
    const found = await listAt(client, moment, { namespace, name });
    const own = found === FORGOTTEN ? undefined : found.find(({ spec }) => spec.resource.uid === uidOf(first));
    if (own) return own;
  }
  return undefined;
}

function uidOf(work: Work | undefined): string | undefined {
  return work?.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
}

async function bindingAt(
  host: Pick<Host, "bindingsLike">,
  binding: AnyBinding,
  revision: string | undefined,
): Promise<AnyBinding> {
  const then = await stateAt(host.bindingsLike(binding).client, binding, revision);
  if (then === FORGOTTEN) return binding;
  const { clusterDeletion } = then?.spec ?? {};
  return { ...binding, spec: { ...binding.spec, clusterDeletion } } as AnyBinding;
}
