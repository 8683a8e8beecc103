// Which rules about deletion stood at the moment when a template was deleted?
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule, PolicyWord } from "../../lib/domain/cascade.js";
import { claimBy, describeClaim, type Claim } from "../../lib/domain/claims.js";
import { isEdited } from "../../lib/domain/heard.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyCascadePolicy, AnyPolicy } from "../../lib/kube/host.js";
import { lastSelectingReader, preserveSaid } from "../../lib/kube/last-selecting.js";
import { lapsesReader, type Lapses } from "../../lib/kube/lapses.js";
import { comersReader, holds, keepInstead, keepOf } from "./comers-at.js";
import { NOTHING, pastReader, type Past, type PastReader } from "./past.js";

/** The propagation policy of a template and the policies about deletion that may select it. */
export interface RulesReading {
  /**
   * `undefined`: the template bears no claim, or its policy is gone, or no longer selects it and what it said before that
   * cannot be read any more; then the record has the policy's last word. Unless another policy, which would have claimed
   * the template by then had anybody listened, says keep.
   */
  readonly policy: PolicyWord | undefined;
  /** The claim's own policy, where it is there. */
  readonly holder?: AnyPolicy;
  /** The policy was edited while no watch ran: it may have said something else before. */
  readonly holderUnheard: boolean;
  /** As much of one of the rules, or it was made then. */
  readonly rulesUnheard: boolean;
  readonly rules: readonly CascadeRule[];
  /** What rules said before an edit that their status does not speak of yet: it is on no record. */
  readonly lapsed: Lapses;
  /** As of the moment asked for; otherwise some of it is as it is now. */
  readonly exact: boolean;
  /** Some of it has changed, or may have, since that moment. */
  readonly moved: boolean;
}

/** As of a revision; `undefined`: now, from the server. @throws when the host cannot be read: then nothing is decided. */
export type RulesReader = (
  template: KubeObject,
  claim: Claim | undefined,
  revision: string | undefined,
) => Promise<RulesReading>;

/** Reads rules from the server; what is asked at the same time shares requests. */
export function rulesReader({ host }: Pick<Dependencies, "host">): RulesReader {
  const policies = pastReader(host.policies, false);
  const clusterPolicies = pastReader(host.clusterPolicies, false);
  const rules = pastReader(host.cascadePolicies, true);
  const clusterRules = pastReader(host.clusterCascadePolicies, true);
  const comers = comersReader(policies, clusterPolicies);
  const lastSelecting = lastSelectingReader(host);
  const lapsesOf = lapsesReader(host);

  function policyAt(claim: Claim | undefined, revision: string | undefined): Promise<Past<AnyPolicy>> {
    if (!claim) return Promise.resolve(NOTHING);
    const { kind, id, namespace } = claim;
    const pick = <P extends AnyPolicy>(items: readonly P[]) =>
      items.filter(p => claimBy(kind, p)?.id === id).slice(0, 1);
    if (kind === "PropagationPolicy") return policies({ namespace, revision, pick, expected: true });
    return clusterPolicies({ namespace: undefined, revision, pick, expected: true });
  }

  async function wordAt(template: KubeObject, claim: Claim | undefined, revision: string | undefined) {
    const [own, rivals] = await Promise.all([policyAt(claim, revision), comers.rivals(template, claim, revision)]);
    const [found] = own.items;
    if (!found || !claim) return unheldAt(template, own, revision);
    const holder = { kind: claim.kind, policy: found };
    const others = holds(holder, template) ? rivals : await comers.any(template, revision, "with-holder");
    const said = preserveSaid(found, await lastSelecting(found, template));
    return {
      exact: own.exact && others.exact,
      moved: own.moved || others.moved,
      holder: found,
      holderUnheard: own.missed.length > 0,
      word: keepInstead(template, holder, others.items) ?? (said && { ...said, decidedBy: describeClaim(claim) }),
    };
  }

  /** A policy made again under its name, or another one, has been accepted although nothing follows it yet. */
  async function unheldAt(template: KubeObject, own: Past<AnyPolicy>, revision: string | undefined) {
    const others = await comers.any(template, revision, "alone");
    const [exact, moved] = [own.exact && others.exact, own.moved || others.moved];
    return { exact, moved, holder: undefined, holderUnheard: false, word: keepOf(template, others.items) };
  }

  return async function read(template, claim, revision) {
    const { namespace } = template.metadata;
    const [policy, own, wide] = await Promise.all([
      wordAt(template, claim, revision),
      namespace ? rulesIn(rules, template, namespace, revision) : NOTHING,
      rulesIn(clusterRules, template, undefined, revision),
    ]);
    const parts = [policy, own, wide];
    return {
      policy: policy.word,
      ...(policy.holder ? { holder: policy.holder } : {}),
      holderUnheard: policy.holderUnheard,
      rules: [...own.items, ...wide.items],
      rulesUnheard: own.missed.length + wide.missed.length > 0,
      lapsed: await lapsesOf(template, [...own.unheard, ...wide.unheard]),
      exact: parts.every(part => part.exact),
      moved: parts.some(part => part.moved),
    };
  };
}

/**
 * A policy about deletion that goes leaves its word on record before it is gone: none found is none there. One that nobody
 * may have heard yet could name the kind before.
 */
function rulesIn<T extends AnyCascadePolicy>(
  reader: PastReader<T>,
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  namespace: string | undefined,
  revision: string | undefined,
): Promise<Past<T>> {
  const names = ({ spec }: T) => spec.resourceSelectors.some(s => s.apiVersion === apiVersion && s.kind === kind);
  const isAbout = (rule: T) => names(rule) || isEdited(rule);
  return reader({ namespace, revision, pick: items => items.filter(isAbout), expected: false });
}
