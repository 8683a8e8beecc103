// What must a person know, or be kept from, who deletes a Namespace?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject } from "../../crds/object.js";
import {
  type AdmissionContext,
  FINE,
  refuse,
  together,
  type Verdict,
  warn,
  warnIf,
} from "../../lib/domain/admission.js";
import { listed } from "../../lib/domain/listed.js";
import { DELETION_PROTECTED_LABEL } from "../../lib/domain/marks.js";
import { recordedCopiesOf, type Copy } from "../../lib/domain/propagated.js";
import { isProtected, protectedVerdict, templateVerdict, type Deletion } from "./validate-deletion.js";
import { counted, nameOf, packed } from "./words.js";

/** The protected objects of a namespace, as far as they could be read. */
export interface Holding {
  readonly found: readonly { readonly kind: string; readonly name: string }[];
  /** Kinds that could not be read in time, or why it is not known which kinds there are. */
  readonly unread: readonly string[];
}

const OUTCOMES: readonly (readonly [Cascade | "foreign", string])[] = [
  ["background", "copies that will be deleted: "],
  ["adopted", "copies that are kept if they were there before, else deleted: "],
  ["restore", "copies that are put back as before they were taken over: "],
  ["orphan", "copies that are kept: "],
  ["foreign", "objects of their names that are not ours and stay: "],
];

/**
 * Everything about the deletion of a Namespace. Here, and not object by object, is where it can still be refused as a
 * whole. What could not be read refuses nothing and is named.
 */
export function validateNamespaceDeletion(
  namespace: KubeObject,
  deletion: Deletion,
  context: AdmissionContext,
  holding: Holding,
): Verdict {
  if (namespace.metadata.deletionTimestamp) return FINE;
  if (isProtected(namespace)) return protectedVerdict(namespace);
  const held = holdingVerdict(namespace, holding);
  if (held.errors.length > 0) return held;
  return together([held, templateVerdict(namespace, deletion, context), contentsVerdict(namespace, deletion, context)]);
}

function holdingVerdict(namespace: KubeObject, { found, unread }: Holding): Verdict {
  const subject = nameOf(namespace);
  const names = found.map(({ kind, name }) => nameOf({ kind, metadata: { name } }));
  const detail = `${subject} holds what must not be deleted: ${listed(names)}; if you mean it, take the label ${DELETION_PROTECTED_LABEL} off there first`;
  return together([
    refuse(found.length > 0 ? [{ path: "metadata.name", kind: "Forbidden", detail }] : []),
    warnIf(unread.length > 0, `${subject}: may hold protected objects that could not be read: ${listed(unread)}`),
  ]);
}

function contentsVerdict(namespace: KubeObject, { orphan }: Deletion, { propagated }: AdmissionContext): Verdict {
  const bindings = propagated?.bindingsIn(namespace.metadata.name) ?? [];
  if (!propagated || bindings.length === 0) return FINE;
  const subject = nameOf(namespace);
  const copies = bindings.flatMap(binding => recordedCopiesOf(binding, propagated));
  const lines = OUTCOMES.flatMap(([fate, says]) =>
    packed(`${subject}: ${says}`, byCluster(copies.filter(copy => fateOf(copy) === fate))),
  );
  return together([
    warn(`${subject}: holds ${counted(bindings.length, "template")}, deleted with it`),
    ...lines.map(line => warn(line)),
    warnIf(orphan, `${subject}: --cascade=orphan is about the Namespace alone and not about what it holds`),
  ]);
}

const fateOf = ({ presence, cascade }: Copy): Cascade | "foreign" => (presence === "Foreign" ? "foreign" : cascade);

function byCluster(copies: readonly Copy[]): string[] {
  const counts = new Map<string, number>();
  for (const { cluster } of copies) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([cluster, count]) => `${count} in ${cluster}`);
}
