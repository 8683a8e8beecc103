// What did a binding have on record about its copies at a revision?
import { FORGOTTEN, stateAt } from "../../lib/kube/history.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";

/**
 * The binding with the words that were on record then: one that was written since comes too late, and one that has been taken
 * off stood. As it is where that is past reading.
 * @throws when the host does not answer: then nothing is decided
 */
export async function recordAt(
  host: Pick<Host, "bindingsLike">,
  binding: AnyBinding,
  revision: string | undefined,
): Promise<AnyBinding> {
  const then = await stateAt(host.bindingsLike(binding).client, binding, revision);
  if (then === FORGOTTEN) return binding;
  const { clusterDeletion } = then?.spec ?? {};
  return { ...binding, spec: { ...binding.spec, clusterDeletion } } as AnyBinding;
}
