// Which deletions does the API server show to the operator first?
import { CPP_ID_LABEL, DELETION_PROTECTED_LABEL, LET_GO_FINALIZER, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { NOT_OUR_OWN, OPERATOR } from "./names.js";

/**
 * Who empties a namespace that is on its way out. Its deletion was answered as a whole, and half a namespace is worse than
 * none. A controller manager without an account for each controller is also the garbage collector.
 */
const NAMESPACE_CONTROLLERS = [
  "system:kube-controller-manager",
  "system:serviceaccount:kube-system:namespace-controller",
];
const GARBAGE_COLLECTOR = "system:serviceaccount:kube-system:generic-garbage-collector";

const USER = "request.userInfo.username";
const LABELS = "oldObject.metadata.labels";

const hasLabel = (label: string): string => `'${label}' in ${LABELS}`;
const IS_PROTECTED = `has(${LABELS}) && ${hasLabel(DELETION_PROTECTED_LABEL)} && ${LABELS}['${DELETION_PROTECTED_LABEL}'] == 'Always'`;
const IS_CLAIMED = `has(${LABELS}) && (${hasLabel(PP_ID_LABEL)} || ${hasLabel(CPP_ID_LABEL)})`;
/** A template whose policy is gone bears no claim, and has copies all the same. */
const IS_HELD = `has(oldObject.metadata.finalizers) && '${LET_GO_FINALIZER}' in oldObject.metadata.finalizers`;
const IS_POLICY = "request.resource.group == 'policy.karmada.io'";
const IS_NAMESPACE = "request.resource.group == '' && request.resource.resource == 'namespaces'";

/** Who asks again for what was accepted already, such as a kubelet, must not be kept from ending it. */
const notTwice = { name: "not-twice", expression: "!has(oldObject.metadata.deletionTimestamp)" };

/** A condition costs the API server microseconds for each deletion of anything; a call would cost milliseconds. */
const ANY_KIND = [
  NOT_OUR_OWN,
  notTwice,
  {
    name: "not-of-a-whole-namespace",
    expression: `!(${USER} in [${NAMESPACE_CONTROLLERS.map(name => `'${name}'`).join(", ")}])`,
  },
  { name: "not-collected-unless-protected", expression: `${USER} != '${GARBAGE_COLLECTOR}' || (${IS_PROTECTED})` },
  {
    name: "what-it-is-about",
    expression: `!(${IS_NAMESPACE}) && (${IS_POLICY} || (${IS_HELD}) || (${IS_CLAIMED}) || (${IS_PROTECTED}))`,
  },
];

/**
 * Two doors, and never both for one deletion. They are open while nobody answers: what becomes of the copies is decided
 * without them.
 */
export function deletionWebhooks(): object[] {
  const anything = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };
  const namespaces = { apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"] };
  return [
    door({ name: "delete.holdfast.dev", conditions: ANY_KIND, rule: anything, timeoutSeconds: 2 }),
    // The operator asks for every kind in the namespace.
    door({
      name: "delete-namespace.holdfast.dev",
      conditions: [NOT_OUR_OWN, notTwice],
      rule: namespaces,
      timeoutSeconds: 5,
    }),
  ];
}

function door(given: {
  readonly name: string;
  readonly conditions: readonly object[];
  readonly rule: object;
  readonly timeoutSeconds: number;
}): object {
  const { name, conditions, rule, timeoutSeconds } = given;
  const service = { name: OPERATOR.admissionService, namespace: OPERATOR.namespace, path: "/validate" };
  return {
    name,
    admissionReviewVersions: ["v1"],
    clientConfig: { service },
    failurePolicy: "Ignore",
    matchConditions: conditions,
    matchPolicy: "Equivalent",
    rules: [{ ...rule, operations: ["DELETE"], scope: "*" }],
    sideEffects: "None",
    timeoutSeconds,
  };
}
