// How does a rule of the API server's own, a ValidatingAdmissionPolicy with its binding, stand in the chart?

/** What is refused. `expression` is true of what may pass; `message` is CEL as well. */
export interface AdmissionRule {
  /** Absent: in every namespace, and for what is in none. */
  readonly namespaceSelector?: object;
  readonly rules: readonly object[];
  readonly conditions?: readonly object[];
  readonly expression: string;
  readonly message: string;
}

/** The policy and its binding. It fails closed: the API server needs nobody to answer it. */
export function admissionPolicy(name: string, given: AdmissionRule): object[] {
  const { namespaceSelector, rules, conditions, expression, message } = given;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const metadata = { name, labels: { "app.kubernetes.io/name": "holdfast" } };
  return [
    {
      ...{ apiVersion, kind: "ValidatingAdmissionPolicy", metadata },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          matchPolicy: "Equivalent",
          ...(namespaceSelector && { namespaceSelector }),
          resourceRules: rules,
        },
        ...(conditions && { matchConditions: conditions }),
        validations: [{ expression, messageExpression: message, reason: "Forbidden" }],
      },
    },
    {
      ...{ apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}
