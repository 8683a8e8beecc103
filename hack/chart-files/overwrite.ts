// Who may take over what is in a member already? The rule of the API server: charts/holdfast/files/overwrite.yaml.
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import type { GeneratedFile } from "../generated-files.js";
import { OPERATOR_USER } from "./names.js";
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
const NOT_OURS = { name: "not-our-own-writes", expression: `request.userInfo.username != '${OPERATOR_USER}'` };

/**
 * Two policies: about the field in policies and bindings, and about the annotation, which any template may bear. What stands
 * there already may stay: a change of anything else is nobody's concern.
 */
export function overwriteFile(): GeneratedFile {
  const field = policy(NAME, {
    rules: [
      rule("policy.karmada.io", "v1alpha1", ["propagationpolicies", "clusterpropagationpolicies"]),
      rule("work.karmada.io", "v1alpha2", ["resourcebindings", "clusterresourcebindings"]),
    ],
    condition: { name: "says-overwrite", expression: says("object") },
    expression: `(oldObject != null && ${says("oldObject")} && oldObject.spec == object.spec) || ${MAY}`,
    message: `'spec.conflictResolution: Forbidden: Overwrite can take over any object in a member; write Abort, or ask for the verb ${ASKED.replaceAll("'", "\\'")}'`,
  });
  const annotation = policy(`${NAME}-annotation`, {
    rules: [rule("*", "*", ["*"])],
    condition: { name: "bears-overwrite", expression: `object != null && has(object.metadata) && ${bears("object")}` },
    expression: `(oldObject != null && ${bears("oldObject")}) || ${MAY}`,
    message: `'metadata.annotations[${CONFLICT_RESOLUTION_ANNOTATION}]: Forbidden: overwrite can take over an object in a member; write abort, or ask for the verb ${ASKED.replaceAll("'", "\\'")}'`,
  });
  return { path: "charts/holdfast/files/overwrite.yaml", content: documents([...field, ...annotation]) };
}

function rule(group: string, version: string, resources: readonly string[]): object {
  return { apiGroups: [group], apiVersions: [version], resources, operations: ["CREATE", "UPDATE"], scope: "*" };
}

function policy(
  name: string,
  given: {
    readonly rules: readonly object[];
    readonly condition: object;
    readonly expression: string;
    readonly message: string;
  },
): object[] {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const metadata = { name, labels: { "app.kubernetes.io/name": "holdfast" } };
  return [
    {
      ...{ apiVersion, kind: "ValidatingAdmissionPolicy", metadata },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: { matchPolicy: "Equivalent", resourceRules: given.rules },
        matchConditions: [NOT_OURS, NOT_THE_CLUSTERS, given.condition],
        validations: [{ expression: given.expression, messageExpression: given.message, reason: "Forbidden" }],
      },
    },
    {
      ...{ apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}
