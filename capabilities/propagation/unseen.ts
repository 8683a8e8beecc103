// Which template has not been looked at yet since what the stores hold came in?
import { titleOf } from "../../lib/domain/title.js";
import type { WorkQueue } from "../../lib/engine/queue.js";
import type { Host } from "../../lib/kube/host.js";
import { parseTemplateKey, type TemplateRef } from "../../lib/kube/templates.js";
import { parsePolicyKey } from "./policy.js";

/** The queues that bring a template's record up to date. */
export interface Queues {
  readonly templates: Pick<WorkQueue, "unfinished">;
  readonly policies: Pick<WorkQueue, "unfinished">;
}

type Sources = Pick<Host, "templates" | "bindings" | "clusterBindings" | "policiesLike">;

/**
 * For people: one that is waited for, in a namespace or (`undefined`) anywhere; `undefined` when there is none. What a binding
 * is about and no store holds has not been looked at: its kind may not be listed yet, or it went unseen.
 */
export function firstUnseen(host: Sources, queues: Queues, namespace: string | undefined): string | undefined {
  const isThere = (of: string | undefined): boolean => namespace === undefined || of === namespace;
  const waiting = queues.templates
    .unfinished()
    .map(parseTemplateKey)
    .find(ref => isThere(ref.namespace));
  if (waiting) return nameOf(waiting);
  const policy = queues.policies.unfinished().map(parsePolicyKey).find(mayWake);
  if (policy) return titleOf({ kind: policy.kind, metadata: policy });
  const bindings = [...host.bindings.store.values(), ...(namespace ? [] : host.clusterBindings.store.values())];
  const unseen = bindings.find(({ metadata, spec }) => isThere(metadata.namespace) && !isSeen(spec.resource));
  return unseen && nameOf(unseen.spec.resource);

  /** One that is being deleted waits for templates and wakes none. */
  function mayWake(one: ReturnType<typeof parsePolicyKey>): boolean {
    const isAbout = one.namespace === undefined || isThere(one.namespace);
    return isAbout && !host.policiesLike({ metadata: one }).find(one)?.metadata.deletionTimestamp;
  }

  function isSeen(ref: TemplateRef): boolean {
    const isListed = host.templates.of(ref.apiVersion, ref.kind)?.store.synced === true;
    return isListed && host.templates.find(ref) !== undefined;
  }
}

function nameOf({ kind, namespace, name }: TemplateRef): string {
  return titleOf({ kind, metadata: { namespace, name } });
}
