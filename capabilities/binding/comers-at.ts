// Which other policies would have held a template at a revision, had anybody listened, and do they say keep?
import type { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import type { KubeObject } from "../../crds/object.js";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import { describeRule, type PolicyWord } from "../../lib/domain/cascade.js";
import { claimedBy, type Claim } from "../../lib/domain/claims.js";
import { isUnheardEdit } from "../../lib/domain/heard.js";
import { choosePolicy, type Candidate } from "../../lib/domain/policy-choice.js";
import { bestSelectorMatch } from "../../lib/domain/resource-selector.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { NOTHING, type Past, type PastReader } from "./past.js";

/** Reads them as of a revision; `undefined`: now. @throws when the host cannot be read: then nothing is decided */
export interface ComersReader {
  /** Those that may take over from the claim's policy. Shares the list with the reading of that policy where it can. */
  rivals(template: KubeObject, claim: Claim | undefined, revision: string | undefined): Promise<Past<AnyPolicy>>;
  /** All that select the template. `alone`: the claim's policy is gone, and others may be as gone as that. */
  any(template: KubeObject, revision: string | undefined, how: "alone" | "with-holder"): Promise<Past<AnyPolicy>>;
}

/** Which of them: also cluster policies, and not the claim's own. */
interface Which {
  readonly expected: false | "tracelessly";
  readonly wide: boolean;
  readonly but?: Claim;
}

/** The reader, on top of those of both kinds of policy. */
export function comersReader(
  own: PastReader<PropagationPolicy>,
  wide: PastReader<ClusterPropagationPolicy>,
): ComersReader {
  async function read(
    template: KubeObject,
    revision: string | undefined,
    { expected, wide: isWideWanted, but }: Which,
  ): Promise<Past<AnyPolicy>> {
    const { namespace } = template.metadata;
    // One that nobody has heard yet may have selected it before.
    const pick = <P extends AnyPolicy>(items: readonly P[]) =>
      items.filter(p => !isOf(p, but) && (selects(p, template) || (!expected && isUnheardEdit(p))));
    const parts: readonly Past<AnyPolicy>[] = await Promise.all([
      namespace ? own({ namespace, revision, pick, expected }) : NOTHING,
      isWideWanted ? wide({ namespace: undefined, revision, pick, expected }) : NOTHING,
    ]);
    return {
      items: parts.flatMap(({ items }) => items).filter(policy => selects(policy, template)),
      exact: parts.every(({ exact }) => exact),
      moved: parts.some(({ moved }) => moved),
      unheard: [],
      missed: [],
    };
  }

  return {
    rivals(template, claim, revision) {
      if (!claim) return Promise.resolve(NOTHING);
      // No cluster policy takes over from a namespaced one.
      const isWide = claim.kind === "ClusterPropagationPolicy";
      return read(template, revision, { expected: false, wide: isWide, but: claim });
    },
    any: (template, revision, how) =>
      read(template, revision, { expected: how === "alone" ? "tracelessly" : false, wide: true }),
  };
}

/** True while a policy has the say about what it has claimed: it stays, and selects it. */
export function holds({ policy }: Candidate<AnyPolicy>, template: KubeObject): boolean {
  return !policy.metadata.deletionTimestamp && selects(policy, template);
}

/**
 * The word of the policy that would have taken over, where that keeps. Where it does not, the holder's word stands: nobody
 * can tell that the template would have been its own by then.
 */
export function keepInstead(
  template: KubeObject,
  holder: Candidate<AnyPolicy>,
  others: readonly AnyPolicy[],
): PolicyWord | undefined {
  if (!holds(holder, template)) return keepOf(template, others);
  const rivals = others.filter(({ metadata }) => metadata.uid !== holder.policy.metadata.uid).map(candidateOf);
  const { namespace, name } = holder.policy.metadata;
  const { winner } = choosePolicy(template, [holder, ...rivals], { kind: holder.kind, namespace, name });
  return winner && winner.policy !== holder.policy ? keepOf(template, [winner.policy]) : undefined;
}

/** The word of the first of these policies that keeps, and is not on its way out. */
export function keepOf(template: KubeObject, policies: readonly AnyPolicy[]): PolicyWord | undefined {
  const comer = policies.find(policy => {
    const { metadata, spec } = policy;
    return !metadata.deletionTimestamp && spec.preserveResourcesOnDeletion && selects(policy, template);
  });
  return comer && { preserve: true, decidedBy: `${describeRule(comer)}, which had not claimed it yet` };
}

function candidateOf(policy: AnyPolicy): Candidate<AnyPolicy> {
  return { kind: policy.metadata.namespace ? "PropagationPolicy" : "ClusterPropagationPolicy", policy };
}

const isOf = (policy: AnyPolicy, claim: Claim | undefined): boolean =>
  claim !== undefined && claimedBy(claim, policy) !== undefined;

function selects({ metadata, spec }: AnyPolicy, template: KubeObject): boolean {
  return bestSelectorMatch(spec.resourceSelectors, template, metadata.namespace) > 0;
}
