// Would the host hold templates back, and does it know which?
import type { KubeObject } from "../../crds/object.js";
import { holdsTemplates } from "../../lib/domain/hold.js";
import { listed } from "../../lib/domain/listed.js";
import { broken, doubtful, fine, type Finding } from "./finding.js";

/** The admission policies of the API server's own that hold templates; each has a binding of its name (a test compares with the chart). */
export const HOLD_POLICIES = [
  "holdfast-hold-label",
  "holdfast-hold",
  "holdfast-hold-pods",
  "holdfast-hold-services",
  "holdfast-hold-claims",
  "holdfast-hold-scale",
];

/** Names of the policies and of the bindings that the host has. */
export function holdFinding(policies: ReadonlySet<string>, bindings: ReadonlySet<string>): Finding {
  const missing = HOLD_POLICIES.filter(name => !policies.has(name));
  const unbound = HOLD_POLICIES.filter(name => policies.has(name) && !bindings.has(name));
  if (missing.length + unbound.length === 0)
    return fine("hold", `${HOLD_POLICIES.length} admission policies, all bound`);
  const words = [
    missing.length > 0 && `admission policies are missing: ${listed(missing)}`,
    unbound.length > 0 && `have no binding: ${listed(unbound)}`,
  ].filter(word => word !== false);
  const fix =
    "helm upgrade brings them, or kubectl apply --server-side -f charts/holdfast/files/hold.yaml; until then templates may start on this host";
  return broken("hold", words.join("; "), fix);
}

/** `kind` is what ConfigMap holdfast-host has recorded. */
export function templateNamespaces(kind: string | undefined, namespaces: readonly KubeObject[]): Finding {
  const check = "template namespaces";
  const labelled = namespaces.filter(holdsTemplates).map(({ metadata }) => metadata.name);
  if (labelled.length > 0) return fine(check, listed(labelled));
  if (kind !== "ordinary") return fine(check, "none, and none is needed: nothing runs on this host");
  const fix = "kubectl label namespace NAME holdfast.dev/templates=true, before anything is in it";
  return doubtful(check, "none: what is applied on this host also runs here", fix);
}
