// Who ordered that a Work goes, and what it is to do with its objects (design 3).
import type { Work } from "../../crds/work.js";
import type { KubeObject } from "../../crds/object.js";
import { CRB_ID_LABEL, LET_GO_FINALIZER, RB_ID_LABEL, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { templateRefOf } from "../../lib/kube/templates.js";
import { CRB_NAME_ANNOTATION, RB_NAME_ANNOTATION, RB_NAMESPACE_ANNOTATION } from "../../lib/domain/marks.js";
import { storeKey } from "../../lib/kube/store.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { isStandalone, ownOrder, writtenOrder, type Farewell } from "./plan.js";

/**
 * Reads the order of a Terminating Work. Nothing but an order lets go: a Work that is deleted while its template lives does
 * nothing in the member and is made again. Absence counts only when it is proven.
 * @throws when the host cannot be read
 */
export async function orderOf(
  work: Work,
  { host }: Pick<Dependencies, "host">,
  signal: AbortSignal,
): Promise<Farewell> {
  if (isStandalone(work)) return ownOrder(work);
  if (isTakenOver()) return "unordered";
  const written = writtenOrder(work);
  if (written) return written;
  const [manifest] = work.spec.workload?.manifests ?? [];
  const uid = work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
  if (!manifest || !uid) return "unordered";

  const templates = host.templates.ensure(manifest.apiVersion, manifest.kind);
  if (!templates) return "wait";
  await templates.whenSynced(signal);
  if (templates.store.wasDeleted(uid)) return ownOrder(work);
  const ref = templateRefOf(manifest);
  const known = templates.find(ref);
  const template = known?.metadata.uid === uid ? known : await templates.client.find(ref, signal);
  if (template?.metadata.uid !== uid) return ownOrder(work);
  return orderBy(template);

  function orderBy(living: KubeObject): Farewell {
    if (!living.metadata.deletionTimestamp) return "unordered";
    return living.metadata.finalizers?.includes(LET_GO_FINALIZER) ? "wait" : ownOrder(work);
  }

  /** A template made again under the name of the one that left wants the same place: the objects become its own. */
  function isTakenOver(): boolean {
    const binding = bindingOf(work);
    if (!binding || binding.metadata.deletionTimestamp) return false;
    const cluster = clusterOfExecutionNamespace(work.metadata.namespace ?? "");
    const isOther = binding.spec.resource.uid !== work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
    return isOther && (binding.spec.clusters ?? []).some(c => c.name === cluster);
  }

  function bindingOf({ metadata: { labels = {}, annotations = {} } }: Work): AnyBinding | undefined {
    if (labels[CRB_ID_LABEL]) return host.clusterBindings.get(annotations[CRB_NAME_ANNOTATION] ?? "");
    const name = annotations[RB_NAME_ANNOTATION];
    if (!labels[RB_ID_LABEL] || !name) return undefined;
    return host.bindings.get(storeKey({ namespace: annotations[RB_NAMESPACE_ANNOTATION], name }));
  }
}
