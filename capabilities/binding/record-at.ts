// What was on record about the copies of a template at a revision?
import type { Work } from "../../crds/work.js";
import { FORGOTTEN, stateAt } from "../../lib/kube/history.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";

/** Where words stand on record: on the binding or, when that is gone, on the Works. */
export interface OnRecord {
  readonly binding: AnyBinding | undefined;
  readonly works: readonly Work[];
}

/**
 * The words that were on record then: one that was written since comes too late, and one that has been taken off stood. As
 * they are where that is past reading.
 * @throws when the host does not answer: then nothing is decided
 */
export async function recordAt(
  host: Pick<Host, "bindingsLike" | "works">,
  { binding, works }: OnRecord,
  revision: string | undefined,
): Promise<OnRecord> {
  if (binding) return { binding: await bindingAt(host, binding, revision), works };
  const then = await Promise.all(works.map(work => stateAt(host.works.client, work, revision)));
  return {
    binding,
    works: then.flatMap((state, index) => (state === FORGOTTEN ? (works[index] ?? []) : (state ?? []))),
  };
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
