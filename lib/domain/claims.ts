// Which policy holds a template, as the marks on the template say (spec/karmada 4.3).
import type { KubeObject } from "../../crds/object.js";
import {
  CPP_ID_LABEL,
  CPP_NAME_ANNOTATION,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
} from "./marks.js";
import type { PolicyKind, PolicyRef } from "./policy-choice.js";
import { titleOf } from "./title.js";

/** A complete claim: the marks carry the policy's permanent id, so a namesake made later is another policy. */
export interface Claim extends PolicyRef {
  readonly id: string;
}

/** The claim on a template or binding; `undefined` when there is none or its marks are incomplete. */
export function claimOf(object: Pick<KubeObject, "metadata">): Claim | undefined {
  const { labels = {}, annotations = {} } = object.metadata;
  const id = labels[PP_ID_LABEL];
  const name = annotations[PP_NAME_ANNOTATION];
  if (id && name) return { kind: "PropagationPolicy", namespace: annotations[PP_NAMESPACE_ANNOTATION], name, id };
  const clusterId = labels[CPP_ID_LABEL];
  const clusterName = annotations[CPP_NAME_ANNOTATION];
  if (clusterId && clusterName) return { kind: "ClusterPropagationPolicy", name: clusterName, id: clusterId };
  return undefined;
}

/** The claim that a policy makes; `undefined` while it has no permanent id. */
export function claimBy(kind: PolicyKind, policy: Pick<KubeObject, "metadata">): Claim | undefined {
  const { labels, name, namespace } = policy.metadata;
  const id = labels?.[kind === "PropagationPolicy" ? PP_ID_LABEL : CPP_ID_LABEL];
  if (!id) return undefined;
  return kind === "PropagationPolicy" ? { kind, namespace, name, id } : { kind, name, id };
}

/** The policy if it is the very one that a claim names: a namesake made later is another one. */
export function claimedBy<P extends Pick<KubeObject, "metadata">>(claim: Claim, policy: P | undefined): P | undefined {
  return policy && claimBy(claim.kind, policy)?.id === claim.id ? policy : undefined;
}

/** The marks of a claim. Keys of the other kind, and all keys when there is no claim, are `undefined`: to be removed. */
export function claimMarks(claim: Claim | undefined): {
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly annotations: Readonly<Record<string, string | undefined>>;
} {
  const own = claim?.kind === "PropagationPolicy" ? claim : undefined;
  const wide = claim?.kind === "ClusterPropagationPolicy" ? claim : undefined;
  return {
    labels: { [PP_ID_LABEL]: own?.id, [CPP_ID_LABEL]: wide?.id },
    annotations: {
      [PP_NAMESPACE_ANNOTATION]: own?.namespace,
      [PP_NAME_ANNOTATION]: own?.name,
      [CPP_NAME_ANNOTATION]: wide?.name,
    },
  };
}

/** The policy of a claim, for words to people: `PropagationPolicy shop/web`. */
export function describeClaim(policy: PolicyRef): string {
  return titleOf({ kind: policy.kind, metadata: policy });
}
