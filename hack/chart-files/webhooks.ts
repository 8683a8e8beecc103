// Which requests the API server shows to the operator first: charts/holdfast/files/webhooks.yaml.
import { KINDS } from "../../crds/kinds.js";
import type { GeneratedFile } from "../generated-files.js";
import { deletionWebhooks } from "./deletion-webhooks.js";
import { holdMutatingWebhooks, holdValidatingWebhooks } from "./hold-webhooks.js";
import { NOT_OUR_OWN, OPERATOR } from "./names.js";
import { documents } from "./yaml.js";

/** Kinds that admission adds marks to; the others have nothing to default. */
const DEFAULTED: readonly string[] = [
  "PropagationPolicy",
  "ClusterPropagationPolicy",
  "CascadeDeletionPolicy",
  "ClusterCascadeDeletionPolicy",
  "ResourceBinding",
  "ClusterResourceBinding",
  "Work",
];

/** Kinds that the operator alone writes and that nobody is told anything about. */
const UNCHECKED: readonly string[] = ["AdoptionSnapshot"];

/** Each call costs time on the hot path, and what the operator or the garbage collector writes needs no advice. */
const MATCH_CONDITIONS = [
  NOT_OUR_OWN,
  {
    name: "not-the-cluster-itself",
    expression:
      "request.resource.group != 'work.karmada.io' || !(request.userInfo.username == 'system:kube-controller-manager' || request.userInfo.username.startsWith('system:serviceaccount:kube-system:'))",
  },
];

/** Both configurations. The chart adds the certificate's CA. */
export function webhooksFile(): GeneratedFile {
  const kinds = KINDS.map(kind => kind.kind);
  const mutating = configuration("Mutating", [
    webhookFor("mutate", kinds.filter(isDefaulted)),
    ...holdMutatingWebhooks(),
  ]);
  const checked = kinds.filter(kind => !UNCHECKED.includes(kind));
  const validating = configuration("Validating", [
    webhookFor("validate", checked),
    ...deletionWebhooks(),
    ...holdValidatingWebhooks(),
  ]);
  return { path: "charts/holdfast/files/webhooks.yaml", content: documents([mutating, validating]) };
}

function isDefaulted(kind: string): boolean {
  return DEFAULTED.includes(kind);
}

function webhookFor(verb: "mutate" | "validate", kinds: readonly string[]): object {
  const service = { name: OPERATOR.admissionService, namespace: OPERATOR.namespace, path: `/${verb}` };
  return {
    name: `${verb}.holdfast.dev`,
    admissionReviewVersions: ["v1"],
    clientConfig: { service },
    failurePolicy: "Fail",
    matchConditions: MATCH_CONDITIONS,
    matchPolicy: "Equivalent",
    rules: rulesFor(kinds),
    sideEffects: "None",
    timeoutSeconds: 10,
  };
}

function configuration(stage: "Mutating" | "Validating", webhooks: readonly object[]): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${stage}WebhookConfiguration`,
    metadata: { name: OPERATOR.name, labels: { "app.kubernetes.io/name": OPERATOR.name } },
    webhooks,
  };
}

/** The kinds alone and not their subresources: status is nobody's but the operator's. */
function rulesFor(kinds: readonly string[]): object[] {
  const chosen = KINDS.filter(kind => kinds.includes(kind.kind));
  const versions = [...new Set(chosen.map(kind => `${kind.group}/${kind.version}`))];
  return versions.map(groupVersion => {
    const [group, version] = groupVersion.split("/");
    const resources = chosen.filter(kind => kind.group === group && kind.version === version).map(kind => kind.plural);
    return { apiGroups: [group], apiVersions: [version], operations: ["CREATE", "UPDATE"], resources, scope: "*" };
  });
}
