// Which files is a plan made of?
import type { KubeObject } from "../../crds/object.js";
import { updateAt, withoutKeys } from "../../lib/domain/json-value.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import type { Assessment } from "./assess.js";
import type { Files } from "./directory.js";
import type { Gathered } from "./gather.js";
import { fileOf, pathOf, policyPath, REPORT_MD } from "./layout.js";
import { planPolicyName } from "./names.js";
import { policiesFor } from "./policies.js";
import type { Report } from "./report.js";
import { reportText } from "./report-text.js";

/** Templates of what can be taken over, their policies, their Namespaces, and the report for people; by path. */
export function filesOf(report: Report, assessments: readonly Assessment[], { namespaces }: Gathered): Files {
  const { scope } = report;
  const templates = assessments
    .filter(({ verdict }) => verdict.state !== "blocked")
    .map(({ subject }) => subject.template)
    .sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  const files = new Map(templates.map(template => [pathOf(template), fileOf(template)]));
  for (const namespace of new Set(templates.map(({ metadata }) => metadata.namespace))) {
    const group = templates.filter(({ metadata }) => metadata.namespace === namespace);
    const request = { name: planPolicyName(scope), namespace, cluster: scope.cluster, templates: group };
    policiesFor(request).forEach((policy, i) => files.set(policyPath(namespace, i), fileOf(policy)));
    const space = namespace === undefined ? undefined : namespaces.get(namespace);
    if (space && namespace !== "default") files.set(pathOf(space), fileOf(namespaceFrom(space)));
  }
  files.set(REPORT_MD, reportText(report));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The home of templates on the host; no policy sends it anywhere. */
function namespaceFrom(live: KubeObject): KubeObject {
  const { spec: _spec, ...manifest } = ownedManifest({ ...live, apiVersion: "v1", kind: "Namespace" });
  return updateAt(manifest as KubeObject, ["metadata", "labels"], labels =>
    withoutKeys(labels as Readonly<Record<string, string>>, key => key === "kubernetes.io/metadata.name"),
  );
}
