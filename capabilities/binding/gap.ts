// The Work that carries an order to a place where a Work should have been and is none.
import type { Work } from "../../crds/work.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import { TEMPLATE_UID_ANNOTATION, WORK_FINALIZER, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace, workPermanentId } from "../../lib/domain/names.js";
import { cascadeFields } from "../../lib/domain/work-word.js";
import type { AnyBinding } from "../../lib/kube/host.js";
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
