// The Works that carry an order to places where a Work should have been and is none.
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import {
  CRB_ID_LABEL,
  RB_ID_LABEL,
  TEMPLATE_UID_ANNOTATION,
  WORK_FINALIZER,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import { bindingName, bindingPermanentId, executionNamespace, workPermanentId } from "../../lib/domain/names.js";
import { cascadeFields } from "../../lib/domain/work-word.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";
import { storeKey } from "../../lib/kube/store.js";
import { bindingAnnotations, bindingLabel } from "./render.js";

/** Held back, so that this bare manifest is never sent: it only names what to let go of. */
export function gapWork(binding: AnyBinding, templateUid: string, cluster: string, name: string): Work {
  const namespace = executionNamespace(cluster);
  const { apiVersion, kind, namespace: within, name: of } = binding.spec.resource;
  const manifest = { apiVersion, kind, metadata: { name: of, ...(within ? { namespace: within } : {}) } };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name,
      namespace,
      labels: { ...bindingLabel(binding), [WORK_ID_LABEL]: workPermanentId(namespace, name) },
      annotations: { ...bindingAnnotations(binding), [TEMPLATE_UID_ANNOTATION]: templateUid },
      finalizers: [WORK_FINALIZER],
    },
    spec: {
      workload: { manifests: [manifest] },
      suspendDispatching: true,
      ...cascadeFields(recordedWord(binding.spec, cluster, "binding").cascadeDeletion),
    },
  };
}

/**
 * Stands for the binding of a template that waits for its farewell while its binding is away, since somebody deleted that a
 * moment ago, and Works perhaps with it: its copy may be in any cluster.
 */
export function lostBinding(
  host: Pick<Host, "bindings" | "clusterBindings" | "clusters">,
  template: KubeObject,
): AnyBinding {
  const { apiVersion, kind, metadata } = template;
  const { namespace, name, uid } = metadata;
  const named = { group: gvkOf(template).group, kind, namespace, name };
  const plain = bindingName(named);
  const isTaken = (namespace ? host.bindings : host.clusterBindings).get(storeKey({ namespace, name: plain }));
  const free = isTaken ? bindingName(named, { suffix: true }) : plain;
  const [idLabel, owner] = namespace ? [RB_ID_LABEL, "ResourceBinding"] : [CRB_ID_LABEL, "ClusterResourceBinding"];
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: owner,
    metadata: { namespace, name: free, labels: { [idLabel]: bindingPermanentId(owner, namespace, free) } },
    spec: {
      resource: { apiVersion, kind, namespace, name, uid },
      clusters: [...host.clusters.store.values()].map(cluster => ({ name: cluster.metadata.name })),
    },
  } as AnyBinding;
}
