// Can these resource selectors select anything, and does the person know what they will not select?
import type { ResourceSelector } from "../../crds/affinity.js";
import type { KubeObject } from "../../crds/object.js";
import { type AdmissionContext, FINE, refuse, refuseIf, together, type Verdict, warn, warnIf } from "./admission.js";
import type { FieldError } from "./field-error.js";
import { sameJson } from "./json-value.js";
import { validateLabelSelector } from "./label-selector.js";
import { whyNeverTemplate } from "./never-template.js";

/** The policy the selectors belong to: kind for the words, namespace when it is a namespaced one. */
export interface SelectorOwner {
  readonly kind: string;
  readonly namespace?: string;
}

const PATH = "spec.resourceSelectors";
const API_VERSION = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?v[a-z0-9]+$/;
const NO_NAME = "any";

/** What every selector needs, in propagation and in override policies alike. */
export function validateSelectors(
  selectors: readonly ResourceSelector[],
  owner: SelectorOwner,
  context: AdmissionContext,
): Verdict {
  const each = selectors.map((selector, index) => {
    const path = `${PATH}[${index}]`;
    const twin = selectors.findIndex(other => sameJson(other, selector));
    return together([
      refuse(shapeErrors(selector, path)),
      refuseIf(twin < index, { path, kind: "Duplicate", detail: `the same as ${PATH}[${twin}]; remove one of them` }),
      namespaceVerdict(selector, path, owner),
      warnIf(
        isNamed(selector) && selector.labelSelector !== undefined,
        `${path}.labelSelector: without effect, because name is set; remove one of them`,
      ),
      warnIf(
        context.kindExists?.(selector.apiVersion, selector.kind) === false,
        `${path}: this cluster serves no ${selector.kind} of ${selector.apiVersion}; check apiVersion and kind`,
      ),
    ]);
  });
  return together(each);
}

/** What is more in a selector that sends objects away: things of this cluster stay, Secrets want names. */
export function validatePropagated(
  selectors: readonly ResourceSelector[],
  owner: SelectorOwner,
  context: AdmissionContext,
): Verdict {
  return together(
    selectors.map((selector, index) => {
      const path = `${PATH}[${index}]`;
      return together([neverVerdict(selector, path, owner, context), secretVerdict(selector, path, owner)]);
    }),
  );
}

function shapeErrors({ apiVersion, kind, labelSelector }: ResourceSelector, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!apiVersion) errors.push({ path: `${path}.apiVersion`, kind: "Required", detail: "write it, as in apps/v1" });
  if (!kind) errors.push({ path: `${path}.kind`, kind: "Required", detail: "write it, as in Deployment" });
  if (apiVersion && !API_VERSION.test(apiVersion)) {
    errors.push({
      path: `${path}.apiVersion`,
      kind: "Invalid",
      value: apiVersion,
      detail: "not an API version; write group/version, as in apps/v1, or v1 for the core group",
    });
  }
  return [...errors, ...validateLabelSelector(labelSelector, `${path}.labelSelector`)];
}

function namespaceVerdict({ namespace }: ResourceSelector, path: string, owner: SelectorOwner): Verdict {
  if (!owner.namespace || !namespace || namespace === owner.namespace) return FINE;
  return refuse([
    {
      path: `${path}.namespace`,
      kind: "Invalid",
      value: namespace,
      detail: `selects outside the policy's own namespace; write ${owner.namespace}, or use a Cluster${owner.kind}`,
    },
  ]);
}

/** A name that can never travel is refused; one that a broad selector would skip is only mentioned. */
function neverVerdict(
  selector: ResourceSelector,
  path: string,
  owner: SelectorOwner,
  { ownNamespace }: AdmissionContext,
): Verdict {
  if (!selector.apiVersion || !selector.kind) return FINE;
  const example = exampleOf(selector, owner);
  const never = whyNeverTemplate(example, { named: true, ownNamespace });
  if (never) {
    const field = isNamed(selector) ? `${path}.name` : path;
    return refuse([{ path: field, kind: "Forbidden", detail: `never sent to a cluster: ${never}` }]);
  }
  const unusual = isNamed(selector) ? whyNeverTemplate(example, { ownNamespace }) : undefined;
  return unusual ? warn(`${path}.name: sent only because it is named here: ${unusual}`) : FINE;
}

/** An object that the selector could select. */
function exampleOf({ apiVersion, kind, namespace, name }: ResourceSelector, owner: SelectorOwner): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name: name || NO_NAME, namespace: owner.namespace ?? (namespace || undefined) },
  };
}

function secretVerdict(selector: ResourceSelector, path: string, owner: SelectorOwner): Verdict {
  const broad = !isNamed(selector) && selector.labelSelector === undefined;
  if (!broad || selector.apiVersion !== "v1" || selector.kind !== "Secret") return FINE;
  const where = owner.namespace ?? selector.namespace;
  const which = where ? `every Secret in ${where}` : "every Secret of every namespace";
  return warn(`${path}: sends ${which} to the clusters; name them, or use a labelSelector`);
}

function isNamed({ name }: ResourceSelector): boolean {
  return name !== undefined && name !== "";
}
