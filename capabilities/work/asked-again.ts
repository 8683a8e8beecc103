// Which Works does somebody want tried again at once, because what kept them has been mended?
import type { Work } from "../../crds/work.js";
import { CPP_ID_LABEL, CRB_ID_LABEL, PP_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { isAskedAgain } from "../../lib/domain/asked-again.js";
import { BINDINGS_BY_CLAIM, WORKS_BY_BINDING, type AnyPolicy, type Host } from "../../lib/kube/host.js";
import type { KubeObject } from "../../crds/object.js";
import type { StoreChange } from "../../lib/kube/store.js";

/** The Works of all that a policy holds, when it has just been asked for; without that they wait for up to a minute. */
export function worksAskedFor(
  host: Pick<Host, "bindings" | "clusterBindings" | "works">,
  change: StoreChange<AnyPolicy>,
): Work[] {
  if (!isAskedAgain(change)) return [];
  return idsOf(change.after, PP_ID_LABEL, CPP_ID_LABEL)
    .flatMap(id => [
      ...host.bindings.store.byIndex(BINDINGS_BY_CLAIM, id),
      ...host.clusterBindings.store.byIndex(BINDINGS_BY_CLAIM, id),
    ])
    .flatMap(binding => idsOf(binding, RB_ID_LABEL, CRB_ID_LABEL))
    .flatMap(id => host.works.store.byIndex(WORKS_BY_BINDING, id));
}

function idsOf(object: KubeObject | undefined, ...labels: readonly string[]): string[] {
  return labels.flatMap(label => object?.metadata.labels?.[label] ?? []);
}
