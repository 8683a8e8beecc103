// May a namespace become one of templates, or stop being one? (design 1)
import type { KubeObject } from "../../crds/object.js";
import { FINE, refuse, type Verdict } from "../../lib/domain/admission.js";
import { holdsTemplates } from "../../lib/domain/hold.js";
import { listed } from "../../lib/domain/listed.js";
import { TEMPLATES_LABEL, TEMPLATES_RELEASED_ANNOTATION } from "../../lib/domain/marks.js";
import type { Labelled } from "../../lib/kube/labelled.js";

/**
 * Only an empty one may: what runs would seem to be held, and what is held would start. A person who has seen what would
 * start says so by an annotation.
 */
export function validateNamespace(namespace: KubeObject, old: KubeObject | undefined, there: Labelled): Verdict {
  const holds = holdsTemplates(namespace);
  if (!old || holds === holdsTemplates(old) || namespace.metadata.deletionTimestamp) return FINE;
  if (!holds && mayRun(namespace) && !mayRun(old)) return FINE;
  if (there.found.length === 0 && there.unread.length === 0) return FINE;
  return refuse([
    {
      path: `metadata.labels[${TEMPLATES_LABEL}]`,
      kind: "Forbidden",
      detail: `${contentsOf(there)}; ${holds ? adviceToEnter(namespace) : adviceToLeave(namespace)}`,
    },
  ]);
}

/** Said with the same write: a word that is left over from another time counts for nothing. */
function mayRun({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[TEMPLATES_RELEASED_ANNOTATION] === "run";
}

function contentsOf({ found, unread }: Labelled): string {
  if (found.length === 0) return `it cannot be told whether it is empty (${unread.join(", ")})`;
  return `it has ${listed(found.map(({ kind, name }) => `${kind} ${name}`))}`;
}

function adviceToEnter({ metadata: { name } }: KubeObject): string {
  return `what runs in ${name} already cannot be held: label a new namespace, and apply the templates there`;
}

function adviceToLeave({ metadata: { name } }: KubeObject): string {
  return `that would start here. holdfast templates release ${name} --run or --delete says first what happens`;
}
