// What keeps templates from starting on an ordinary host, also while the operator is down: charts/holdfast/files/hold.yaml.
import { HELD_KINDS, NO_VOLUME, NOBODY } from "../../lib/domain/held-kinds.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import type { GeneratedFile } from "../generated-files.js";
import { admissionPolicy, type AdmissionRule } from "./admission-policy.js";
import { OPERATOR } from "./names.js";
import { documents } from "./yaml.js";

const AUTOSCALER = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
/** A controller manager without an account for each controller asks as itself, the autoscaler too. */
const AUTOSCALERS = [AUTOSCALER, "system:kube-controller-manager"];

const WHERE = "'namespace ' + request.namespace + ' holds templates (label " + TEMPLATES_LABEL + "): '";
const CONTROLLER = "object.metadata.ownerReferences.filter(o, has(o.controller) && o.controller)";

/** Kinds that controllers make of a workload: without them no Pod comes about, whatever the workload's kind is. */
const MADE_BY_CONTROLLERS = [
  ...HELD_KINDS.filter(({ oftenMade }) => oftenMade),
  { group: "apps", version: "v1", plural: "controllerrevisions" },
].map(({ group, version, plural }) => ({ apiGroups: [group], apiVersions: [version], resources: [plural] }));

/**
 * The first layer of the hold (design 1): the API server itself refuses what controllers would make of a template. It stands
 * in the way of nobody outside namespaces with the label, and needs no process of ours.
 */
export function holdFile(): GeneratedFile {
  const made = policy("holdfast-hold", {
    rules: MADE_BY_CONTROLLERS.map(rule => ({ ...rule, operations: ["CREATE"] })),
    expression: `!has(object.metadata.ownerReferences) || ${CONTROLLER}.size() == 0`,
    message: `${WHERE} + 'what ' + ${CONTROLLER}[0].kind + ' ' + ${CONTROLLER}[0].name + ' would start runs in members, not here'`,
  });
  const scaled = policy("holdfast-hold-scale", {
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/scale"], operations: ["UPDATE"] }],
    conditions: [
      { name: "by-the-autoscaler", expression: `request.userInfo.username in ${JSON.stringify(AUTOSCALERS)}` },
    ],
    expression: "false",
    message: `${WHERE} + 'an autoscaler here knows nothing of the load in members'`,
  });
  return {
    path: "charts/holdfast/files/hold.yaml",
    content: documents([...labelled(), ...made, ...started(), ...scaled]),
  };
}

const LABELS = "object.metadata.labels";
const RESERVED = ["karmada-cluster", "pepr-system", "default", OPERATOR.namespace];

/** A label that says something else than people think is worse than none, and what a cluster lives on is no template. */
function labelled(): object[] {
  return admissionPolicy("holdfast-hold-label", {
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["CREATE", "UPDATE"] }],
    conditions: [{ name: "with-the-label", expression: `has(${LABELS}) && '${TEMPLATES_LABEL}' in ${LABELS}` }],
    expression: `${LABELS}['${TEMPLATES_LABEL}'] == 'false' || (${LABELS}['${TEMPLATES_LABEL}'] == 'true' && !object.metadata.name.startsWith('kube-') && !(object.metadata.name in ${JSON.stringify(RESERVED)}))`,
    message: `'label ${TEMPLATES_LABEL} of namespace ' + object.metadata.name + ' may be true or false, and true only where nothing of a cluster itself lives'`,
  });
}

/**
 * What starts by itself is held by nothing but a field of its own. The webhook sets it; where nobody answers, it is refused
 * with a sentence, and never started.
 */
function started(): object[] {
  const core = (resource: string, ...operations: string[]): object => ({
    ...{ apiGroups: [""], apiVersions: ["v1"], resources: [resource], operations },
  });
  // It outlives Holdfast, so it must also be true when nobody will ever answer.
  const heldBack = (name: string, what: string, rule: Omit<AdmissionRule, "message">): object[] => {
    const found = `'Holdfast did not answer to hold back ${what} ' + object.metadata.name + ', so it would start here. '`;
    const down = `'If Holdfast is down, try again when it is up. '`;
    const gone = `'If it was uninstalled: holdfast templates release ' + request.namespace + ' --run, or kubectl delete validatingadmissionpolicy ${name}'`;
    return policy(name, { ...rule, message: [WHERE, found, down, gone].join(" + ") });
  };
  return [
    ...heldBack("holdfast-hold-pods", "Pod", {
      rules: [core("pods", "CREATE", "UPDATE")],
      conditions: [
        // One that was held may not be given a controller to slip away by.
        {
          name: "by-itself",
          expression: `request.operation == 'UPDATE' || !has(object.metadata.ownerReferences) || ${CONTROLLER}.size() == 0`,
        },
        { name: "new-or-held", expression: `request.operation == 'CREATE' || ${hasGate("oldObject")}` },
      ],
      expression: hasGate("object"),
    }),
    ...heldBack("holdfast-hold-services", "the load balancer of Service", {
      rules: [core("services", "CREATE", "UPDATE")],
      conditions: [
        { name: "a-load-balancer", expression: isBalancer("object") },
        {
          name: "new-or-held",
          expression: `request.operation == 'CREATE' || !(${isBalancer("oldObject")}) || ${hasClass("oldObject")}`,
        },
      ],
      expression: hasClass("object"),
    }),
    ...heldBack("holdfast-hold-claims", "PersistentVolumeClaim", {
      rules: [core("persistentvolumeclaims", "CREATE")],
      expression: `has(object.spec.volumeName) && object.spec.volumeName == '${NO_VOLUME}'`,
    }),
  ];
}

const isBalancer = (of: string): string => `has(${of}.spec.type) && ${of}.spec.type == 'LoadBalancer'`;

const hasClass = (of: string): string =>
  `(has(${of}.spec.loadBalancerClass) && ${of}.spec.loadBalancerClass == '${NOBODY}')`;

const hasGate = (of: string): string =>
  `(has(${of}.spec.schedulingGates) && ${of}.spec.schedulingGates.exists(g, g.name == '${NOBODY}'))`;

/** In namespaces of templates, and nowhere else. */
function policy(name: string, rule: AdmissionRule): object[] {
  const namespaceSelector = { matchLabels: { [TEMPLATES_LABEL]: "true" } };
  return admissionPolicy(name, { namespaceSelector, ...rule });
}
