// Which requests in a namespace of templates does the API server show to the operator?
import { HELD_KINDS } from "../../lib/domain/held-kinds.js";
import { HELD_MARK, TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import { NOT_OUR_OWN, OPERATOR } from "./names.js";

const IS_HELD = `has(object.metadata.labels) && '${HELD_MARK}' in object.metadata.labels`;
const OWNERS = "object.metadata.ownerReferences";

/** What the operator claims was perhaps made while nobody answered: it is held then. */
const UNLESS_HELD_BY_US = { name: "not-our-own-writes", expression: `${NOT_OUR_OWN.expression} || !(${IS_HELD})` };
/** What a controller makes of these is refused by the admission policy. */
const REFUSED = HELD_KINDS.filter(({ oftenMade }) => oftenMade).map(({ plural }) => `'${plural}'`);
const NOT_REFUSED = {
  name: "not-refused-anyway",
  expression: `!(request.resource.resource in [${REFUSED.join(", ")}]) || !has(${OWNERS}) || !${OWNERS}.exists(o, has(o.controller) && o.controller)`,
};

/** Kinds that nothing on a host acts on, unless something of ours or a Pod uses them; and those that are held. */
const INERT = [
  ...[
    "configmaps",
    "secrets",
    "serviceaccounts",
    "endpoints",
    "events",
    "limitranges",
    "resourcequotas",
    "podtemplates",
  ].map(plural => `/${plural}`),
  ...["rbac.authorization.k8s.io/roles", "rbac.authorization.k8s.io/rolebindings", "coordination.k8s.io/leases"],
  ...["networking.k8s.io/networkpolicies", "discovery.k8s.io/endpointslices", "apps/controllerrevisions"],
  ...["events.k8s.io/events", "storage.k8s.io/csistoragecapacities"],
  ...HELD_KINDS.map(({ group, plural }) => `${group}/${plural}`),
];
const IS_OURS = "request.resource.group.endsWith('.karmada.io') || request.resource.group == 'holdfast.dev'";

const inTemplateNamespaces = { namespaceSelector: { matchLabels: { [TEMPLATES_LABEL]: "true" } } };

/**
 * What makes the hold quiet. They are open while nobody answers: the admission policies hold without them, and refuse what
 * only these could hold.
 */
export function holdMutatingWebhooks(): object[] {
  return [
    webhook("hold.holdfast.dev", "mutate", {
      ...inTemplateNamespaces,
      failurePolicy: "Ignore",
      matchConditions: [UNLESS_HELD_BY_US, NOT_REFUSED],
      rules: rulesFor(["CREATE", "UPDATE"], plural => plural),
    }),
    // Nobody else's word may stand there: what the host's controllers see are no Pods.
    webhook("hold-status.holdfast.dev", "mutate", {
      ...inTemplateNamespaces,
      objectSelector: { matchLabels: { [HELD_MARK]: "true" } },
      failurePolicy: "Fail",
      matchConditions: [NOT_OUR_OWN],
      rules: rulesFor(["UPDATE"], plural => `${plural}/status`),
    }),
  ];
}

/** Warnings, and the word about a namespace's label. */
export function holdValidatingWebhooks(): object[] {
  const label = (of: string): string =>
    `(has(${of}.metadata.labels) && '${TEMPLATES_LABEL}' in ${of}.metadata.labels && ${of}.metadata.labels['${TEMPLATES_LABEL}'] == 'true')`;
  const namespaces = {
    ...{ apiGroups: [""], apiVersions: ["v1"], scope: "Cluster" },
    // Labels travel with every one of them.
    resources: ["namespaces", "namespaces/status", "namespaces/finalize"],
  };
  const isInert = `request.resource.group + '/' + request.resource.resource in [${INERT.map(plural => `'${plural}'`).join(", ")}]`;
  return [
    webhook("hold-advice.holdfast.dev", "validate", {
      ...inTemplateNamespaces,
      failurePolicy: "Ignore",
      matchConditions: [NOT_OUR_OWN, NOT_REFUSED],
      rules: rulesFor(
        ["CREATE", "UPDATE"],
        plural => plural,
        ({ fields }) => fields.some(field => !field.yields),
      ),
    }),
    webhook("hold-unheld.holdfast.dev", "validate", {
      ...inTemplateNamespaces,
      failurePolicy: "Ignore",
      matchConditions: [
        NOT_OUR_OWN,
        NOT_REFUSED,
        { name: "what-may-start", expression: `!(${isInert}) && !(${IS_OURS})` },
      ],
      rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"], scope: "Namespaced" }],
    }),
    // Only who gives or takes the label waits for an answer.
    webhook("hold-namespace.holdfast.dev", "validate", {
      failurePolicy: "Fail",
      matchConditions: [{ name: "when-the-label-changes", expression: `${label("object")} != ${label("oldObject")}` }],
      rules: [{ ...namespaces, operations: ["UPDATE"] }],
      timeoutSeconds: 5,
    }),
  ];
}

function rulesFor(
  operations: readonly string[],
  resourceOf: (plural: string) => string,
  isWanted: (kind: (typeof HELD_KINDS)[number]) => boolean = () => true,
): object[] {
  const kinds = HELD_KINDS.filter(isWanted);
  const versions = [...new Set(kinds.map(({ group, version }) => `${group}/${version}`))];
  return versions.map(groupVersion => {
    const [group, version] = groupVersion.split("/");
    const resources = kinds
      .filter(kind => `${kind.group}/${kind.version}` === groupVersion)
      .map(kind => resourceOf(kind.plural));
    return { apiGroups: [group], apiVersions: [version], operations, resources, scope: "Namespaced" };
  });
}

function webhook(name: string, verb: "mutate" | "validate", rest: object): object {
  const service = { name: OPERATOR.admissionService, namespace: OPERATOR.namespace, path: `/${verb}` };
  const common = { admissionReviewVersions: ["v1"], clientConfig: { service }, matchPolicy: "Equivalent" };
  return { name, ...common, sideEffects: "None", timeoutSeconds: 2, ...rest };
}
