// Who ordered that a Work goes, and what it is to do with its objects (design 3).
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import {
  CRB_ID_LABEL,
  CRB_NAME_ANNOTATION,
  LET_GO_FINALIZER,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
} from "../../lib/domain/marks.js";
import { claimOf } from "../../lib/domain/claims.js";
import { clusterOf } from "../../lib/domain/names.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Collection } from "../../lib/kube/collection.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";
import { storeKey } from "../../lib/kube/store.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { hasLeft } from "../../lib/kube/places.js";
import { writtenOrder, type Order } from "../../lib/domain/work-word.js";
import { isStandalone, ownOrder } from "./word.js";

/** What a Terminating Work is to do. `wait`: the decision is still being carried out. */
export type Farewell = Order | "wait" | "unordered";

/**
 * Reads the order of a Terminating Work. Nothing but an order lets go: a Work that is deleted while its template lives does
 * nothing in the member and is made again. Absence counts only when it is proven.
 * @throws when the host cannot be read
 */
export async function orderOf(work: Work, deps: Pick<Dependencies, "host">, signal: AbortSignal): Promise<Farewell> {
  if (isStandalone(work)) return ownOrder(work);
  if (isTakenOver(work, bindingOf(work, deps.host))) return "unordered";
  return writtenOrder(work) ?? orderByTemplate(work, deps, signal);
}

/**
 * The template's fate is the order where none was written: its decision equalled what the Work says. But it must have been
 * decided about: one that lost our finalizer by somebody's hand goes without, and its binding, as long as there is one, is
 * where that is made good.
 */
async function orderByTemplate(
  work: Work,
  { host }: Pick<Dependencies, "host">,
  signal: AbortSignal,
): Promise<Farewell> {
  const { uid, ref } = templateBehind(work);
  if (!ref || !uid) return "unordered";
  const templates = host.templates.ensure(ref.apiVersion, ref.kind);
  if (!templates) return "wait";
  await templates.whenSynced(signal);
  const template = await templateWith(uid, templates, ref, signal);
  if (template && !isLeaving(template)) return "unordered";
  if (template && holdsForUs(template)) return "wait";
  return host.decided.has(uid) ? ownOrder(work) : undecided(work, uid, bindingOf(work, host), templates.find(ref));
}

/** True when the Work's template is Terminating: an order is on its way, whoever has to decide about it. */
export async function isTemplateLeaving(
  work: Work,
  { host }: Pick<Dependencies, "host">,
  signal: AbortSignal,
): Promise<boolean> {
  const { uid, ref } = templateBehind(work);
  const templates = uid && ref && host.templates.ensure(ref.apiVersion, ref.kind);
  if (!templates) return false;
  await templates.whenSynced(signal);
  const template = templates.find(ref);
  return template?.metadata.uid === uid && isLeaving(template);
}

function templateBehind(work: Work): { readonly uid?: string; readonly ref?: TemplateRef } {
  const manifest = work.spec.workload?.manifests?.[0];
  return { uid: work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION], ref: manifest && templateRefOf(manifest) };
}

/** Nobody has decided about it: its binding will, or the template that has come in its place may want the copy. */
function undecided(work: Work, uid: string, binding: AnyBinding | undefined, comer: KubeObject | undefined): Farewell {
  if (binding?.spec.resource.uid === uid) return "wait";
  const isWanted = binding && comer && !isLeaving(comer) && isWantedBy(binding, work);
  return isWanted ? "unordered" : ownOrder(work);
}

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

const holdsForUs = ({ metadata }: KubeObject): boolean => metadata.finalizers?.includes(LET_GO_FINALIZER) ?? false;

/** The template with this very uid; `undefined` only when it is certainly gone. */
async function templateWith(
  uid: string,
  templates: Collection,
  ref: TemplateRef,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  if (templates.store.wasDeleted(uid)) return undefined;
  const known = templates.find(ref);
  const template = known?.metadata.uid === uid ? known : await templates.client.find(ref, signal);
  return template?.metadata.uid === uid ? template : undefined;
}

/** A template made again under the name of the one that left wants the same place: the objects become its own. */
export function isTakenOver(work: Work, binding: AnyBinding | undefined): boolean {
  return binding !== undefined && !binding.metadata.deletionTimestamp && isWantedBy(binding, work);
}

/** True when a binding about another object of the name lists the Work's cluster. */
function isWantedBy(binding: AnyBinding, work: Work): boolean {
  const isOther = binding.spec.resource.uid !== work.metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
  return isOther && lists(binding, clusterOf(work));
}

const lists = ({ spec: { clusters = [] } }: AnyBinding, cluster: string): boolean =>
  clusters.some(({ name }) => name === cluster);

/**
 * True while the binding that made a Work will not make it again: it is not there, does not name the Work's place, or is
 * about to leave it. As long as that is so, the Work is all that tells where the copy is and whether it is kept. The
 * policy is read live: an edit from a moment ago has not reached the binding, and perhaps not even the store.
 * @throws when the policy cannot be read
 */
export async function isLastWitness(
  work: Work,
  { host }: Pick<Dependencies, "host">,
  signal: AbortSignal,
): Promise<boolean> {
  const { [RB_NAME_ANNOTATION]: name, [CRB_NAME_ANNOTATION]: wideName } = work.metadata.annotations ?? {};
  if (!name && !wideName) return false;
  const binding = bindingOf(work, host);
  if (!binding || isLeaving(binding)) return true;
  const cluster = clusterOf(work);
  if (!lists(binding, cluster)) return true;
  // Told not to move, it goes on naming its places, and makes their Works again.
  if (binding.spec.suspension?.scheduling) return false;
  const claim = claimOf(binding);
  return hasLeft(host, { binding, policy: claim && (await host.readPolicy(claim, signal)) }, cluster);
}

/**
 * True when the binding stands, and does not name the Work's place. Usually an order is on its way, or the binding is put
 * right; where no cluster fits, without a policy, or with `suspension.scheduling`, neither comes before the template goes or
 * its placement changes.
 */
export function isUnnamed(work: Work, { host }: Pick<Dependencies, "host">): boolean {
  const binding = bindingOf(work, host);
  return binding !== undefined && !isLeaving(binding) && !lists(binding, clusterOf(work));
}

function bindingOf(
  { metadata: { labels = {}, annotations = {} } }: Work,
  host: Dependencies["host"],
): AnyBinding | undefined {
  if (labels[CRB_ID_LABEL]) return host.clusterBindings.get(annotations[CRB_NAME_ANNOTATION] ?? "");
  const name = annotations[RB_NAME_ANNOTATION];
  if (!labels[RB_ID_LABEL] || !name) return undefined;
  return host.bindings.get(storeKey({ namespace: annotations[RB_NAMESPACE_ANNOTATION], name }));
}
