// Which objects of a namespace has a person protected from deletion? Read at the moment when it counts.
import { DELETION_PROTECTED_LABEL } from "../domain/marks.js";
import type { KubeClient } from "../kube/client.js";
import { onePerKind, type Discovery, type ServedResource } from "../kube/discovery.js";
import { findLabelled, type Labelled } from "../kube/labelled.js";
import type { PropagatedFacts } from "./propagated-facts.js";

/** Half of what the API server gives the webhook of namespaces, milliseconds. */
const READING_MS = 2_500;

/**
 * Asks the server, one small list of metadata for each kind: a namespace is deleted seldom, and keeping the metadata of
 * everything just for that would cost all the time. Kinds whose answer does not come in time are named.
 */
export function protectedObjects(
  client: KubeClient,
  discovery: Discovery,
  propagated: PropagatedFacts,
): (namespace: string) => Promise<Labelled> {
  return async namespace => {
    const held = new Set((propagated.known()?.bindingsIn(namespace) ?? []).map(({ spec }) => spec.resource.kind));
    const kinds = deletableKinds(discovery.served.resources);
    // What is propagated is asked for first: connections are few.
    const ordered = kinds.sort((a, b) => Number(held.has(b.kind)) - Number(held.has(a.kind)));
    const labelSelector = `${DELETION_PROTECTED_LABEL}=Always`;
    const signal = AbortSignal.timeout(READING_MS);
    const { found, unread } = await findLabelled(client, ordered, { namespace, labelSelector, signal });
    return { found, unread: [...unread, ...unknownKinds(discovery)] };
  };
}

function deletableKinds(resources: readonly ServedResource[]): ServedResource[] {
  const inNamespaces = resources.filter(({ namespaced }) => namespaced);
  return onePerKind(inNamespaces, ["list", "delete"]);
}

function unknownKinds({ known, served }: Discovery): string[] {
  if (!known) return ["no kind is known yet"];
  return served.complete ? [] : ["an aggregated API does not answer"];
}
