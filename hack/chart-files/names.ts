// What the operator and its namespaces are called in the chart.

/** The operator's namespace, ServiceAccount and roles; the Service in front of its webhooks. */
export const OPERATOR = { name: "holdfast", namespace: "holdfast-system", admissionService: "holdfast-admission" };

/** Where the members' credentials live (spec/karmada 2.1). */
export const CREDENTIALS_NAMESPACE = "karmada-cluster";

/** Where Pepr keeps its store; the name is fixed in Pepr. */
export const PEPR_NAMESPACE = "pepr-system";

/** Who the operator is to the API server. */
export const OPERATOR_USER = `system:serviceaccount:${OPERATOR.namespace}:${OPERATOR.name}`;

/** What the operator writes needs no advice, and a call costs time. */
export const NOT_OUR_OWN = {
  name: "not-our-own-writes",
  expression: `request.userInfo.username != '${OPERATOR_USER}'`,
};
