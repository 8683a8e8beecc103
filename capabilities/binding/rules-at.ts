// Which rules about deletion stood at the moment when a template was deleted?
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule, PolicyWord } from "../../lib/domain/cascade.js";
import { claimBy, describeClaim, type Claim } from "../../lib/domain/claims.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyCascadePolicy, AnyPolicy } from "../../lib/kube/host.js";
import { pastReader, type Past, type PastReader } from "./past.js";

/** The propagation policy of a template and the policies about deletion that may select it. */
export interface RulesReading {
  /** `undefined`: the template bears no claim, or its policy is gone; then the record has the policy's last word. */
  readonly policy: PolicyWord | undefined;
  readonly rules: readonly CascadeRule[];
  /** As of the moment asked for; otherwise some of it is as it is now. */
  readonly exact: boolean;
  /** Some of it has changed, or may have, since that moment. */
  readonly moved: boolean;
}

/** As of a revision; `undefined`: now, from the server. @throws when the host cannot be read: then nothing is decided. */
export type RulesReader = (
  template: Pick<KubeObject, "apiVersion" | "kind" | "metadata">,
  claim: Claim | undefined,
  revision: string | undefined,
) => Promise<RulesReading>;

const NOTHING: Past<never> = { items: [], exact: true, moved: false };

/** Reads rules from the server; what is asked at the same time shares requests. */
export function rulesReader({ host }: Pick<Dependencies, "host">): RulesReader {
  const policies = pastReader(host.policies, false);
  const clusterPolicies = pastReader(host.clusterPolicies, false);
  const rules = pastReader(host.cascadePolicies, true);
  const clusterRules = pastReader(host.clusterCascadePolicies, true);

  function policyAt(claim: Claim | undefined, revision: string | undefined): Promise<Past<AnyPolicy>> {
    if (!claim) return Promise.resolve(NOTHING);
    const { kind, id, namespace } = claim;
    const pick = <P extends AnyPolicy>(items: readonly P[]) =>
      items.filter(p => claimBy(kind, p)?.id === id).slice(0, 1);
    if (kind === "PropagationPolicy") return policies({ namespace, revision, pick, expected: true });
    return clusterPolicies({ namespace: undefined, revision, pick, expected: true });
  }

  return async function read(template, claim, revision) {
    const { namespace } = template.metadata;
    const [policy, own, wide] = await Promise.all([
      policyAt(claim, revision),
      namespace ? rulesIn(rules, template, namespace, revision) : NOTHING,
      rulesIn(clusterRules, template, undefined, revision),
    ]);
    const parts = [policy, own, wide];
    const [found] = policy.items;
    return {
      policy: found && claim && { preserve: found.spec.preserveResourcesOnDeletion, decidedBy: describeClaim(claim) },
      rules: [...own.items, ...wide.items],
      exact: parts.every(part => part.exact),
      moved: parts.some(part => part.moved),
    };
  };
}

/** A policy about deletion that goes leaves its word on record before it is gone: none found is none there. */
function rulesIn<T extends AnyCascadePolicy>(
  reader: PastReader<T>,
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  namespace: string | undefined,
  revision: string | undefined,
): Promise<Past<T>> {
  const isAbout = ({ spec }: T) => spec.resourceSelectors.some(s => s.apiVersion === apiVersion && s.kind === kind);
  return reader({ namespace, revision, pick: items => items.filter(isAbout), expected: false });
}
