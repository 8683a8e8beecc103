// Who may take over what is in a member already? The rule of the API server: charts/holdfast/files/overwrite.yaml.
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import type { GeneratedFile } from "../generated-files.js";
import { admissionPolicy } from "./admission-policy.js";
import { NOT_OUR_OWN } from "./names.js";
import { documents } from "./yaml.js";

const NAME = "holdfast-overwrite";
const ASKED = "'overwrite', which the ClusterRole holdfast-overwrite gives";

/** The verb is asked of policies, whatever the object is that says so: one role is enough. */
const MAY = [
  "authorizer.group('policy.karmada.io')",
  ".resource(request.namespace == '' ? 'clusterpropagationpolicies' : 'propagationpolicies')",
  ".namespace(request.namespace).check('overwrite').allowed()",
].join("");

const says = (object: string): string =>
  `has(${object}.spec) && has(${object}.spec.conflictResolution) && ${object}.spec.conflictResolution == 'Overwrite'`;
const bears = (object: string): string =>
  `has(${object}.metadata.annotations) && '${CONFLICT_RESOLUTION_ANNOTATION}' in ${object}.metadata.annotations && ${object}.metadata.annotations['${CONFLICT_RESOLUTION_ANNOTATION}'] == 'overwrite'`;

/** They copy a Deployment's annotations into its ReplicaSets. */
const NOT_THE_CLUSTERS = {
  name: "not-the-cluster-itself",
  expression:
    "request.userInfo.username != 'system:kube-controller-manager' && !(has(request.userInfo.groups) && 'system:serviceaccounts:kube-system' in request.userInfo.groups)",
};

/**
 * Two policies: about the field in policies and bindings, and about the annotation, which any template may bear. What stands
 * there already may stay: a change of anything else is nobody's concern.
 */
export function overwriteFile(): GeneratedFile {
  const field = admissionPolicy(NAME, {
    rules: [
      rule("policy.karmada.io", "v1alpha1", ["propagationpolicies", "clusterpropagationpolicies"]),
      rule("work.karmada.io", "v1alpha2", ["resourcebindings", "clusterresourcebindings"]),
    ],
    conditions: [NOT_OUR_OWN, NOT_THE_CLUSTERS, { name: "says-overwrite", expression: says("object") }],
    expression: `(oldObject != null && ${says("oldObject")} && oldObject.spec == object.spec) || ${MAY}`,
    message: `'spec.conflictResolution: Forbidden: Overwrite can take over any object in a member; write Abort, or ask for the verb ${ASKED.replaceAll("'", "\\'")}'`,
  });
  const annotation = admissionPolicy(`${NAME}-annotation`, {
    rules: [rule("*", "*", ["*"])],
    conditions: [
      NOT_OUR_OWN,
      NOT_THE_CLUSTERS,
      { name: "bears-overwrite", expression: `object != null && has(object.metadata) && ${bears("object")}` },
    ],
    expression: `(oldObject != null && ${bears("oldObject")}) || ${MAY}`,
    message: `'metadata.annotations[${CONFLICT_RESOLUTION_ANNOTATION}]: Forbidden: overwrite can take over an object in a member; write abort, or ask for the verb ${ASKED.replaceAll("'", "\\'")}'`,
  });
  return { path: "charts/holdfast/files/overwrite.yaml", content: documents([...field, ...annotation]) };
}

function rule(group: string, version: string, resources: readonly string[]): object {
  return { apiGroups: [group], apiVersions: [version], resources, operations: ["CREATE", "UPDATE"], scope: "*" };
}
