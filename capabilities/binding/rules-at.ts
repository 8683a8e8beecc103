// Which rules about deletion stood at the moment when a template was deleted?
import type { KubeObject } from "../../crds/object.js";
import { describeRule, type CascadeRule, type PolicyWord } from "../../lib/domain/cascade.js";
import { claimBy, describeClaim, type Claim } from "../../lib/domain/claims.js";
import { isUnheardEdit } from "../../lib/domain/heard.js";
import { bestSelectorMatch } from "../../lib/domain/resource-selector.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyCascadePolicy, AnyPolicy } from "../../lib/kube/host.js";
import { lastSelectingReader, preserveSaid } from "../../lib/kube/last-selecting.js";
import { lapsesReader, type Lapses } from "../../lib/kube/lapses.js";
import { pastReader, type Past, type PastReader } from "./past.js";

/** The propagation policy of a template and the policies about deletion that may select it. */
export interface RulesReading {
  /**
   * `undefined`: the template bears no claim, or its policy is gone, or no longer selects it and what it said before that
   * cannot be read any more; then the record has the policy's last word. Unless
   * another policy that selects the template, and has not come to claim it yet, says keep.
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

const NOTHING: Past<never> = { items: [], exact: true, moved: false, missed: [] };

/** Reads rules from the server; what is asked at the same time shares requests. */
export function rulesReader({ host }: Pick<Dependencies, "host">): RulesReader {
  const policies = pastReader(host.policies, false);
  const clusterPolicies = pastReader(host.clusterPolicies, false);
  const rules = pastReader(host.cascadePolicies, true);
  const clusterRules = pastReader(host.clusterCascadePolicies, true);
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

  /** A policy made again under its name, or another one, has been accepted although nothing follows it yet. */
  async function comersAt(template: KubeObject, revision: string | undefined): Promise<Past<AnyPolicy>> {
    const { namespace } = template.metadata;
    const pick = <P extends AnyPolicy>(items: readonly P[]) => items.filter(policy => selects(policy, template));
    const [own, wide] = await Promise.all([
      namespace ? policies({ namespace, revision, pick, expected: "tracelessly" }) : NOTHING,
      clusterPolicies({ namespace: undefined, revision, pick, expected: "tracelessly" }),
    ]);
    const [moved, exact] = [own.moved || wide.moved, own.exact && wide.exact];
    return { items: [...own.items, ...wide.items], exact, moved, missed: [] };
  }

  async function wordAt(template: KubeObject, claim: Claim | undefined, revision: string | undefined) {
    const own = await policyAt(claim, revision);
    const [found] = own.items;
    if (found && claim) {
      const said = preserveSaid(found, await lastSelecting(found, template));
      return {
        ...own,
        holder: found,
        holderUnheard: own.missed.length > 0,
        word: said && { ...said, decidedBy: describeClaim(claim) },
      };
    }
    const comers = await comersAt(template, revision);
    const comer = comers.items.find(p => !p.metadata.deletionTimestamp && p.spec.preserveResourcesOnDeletion);
    const word = comer && { preserve: true, decidedBy: `${describeRule(comer)}, which had not claimed it yet` };
    const [exact, moved] = [own.exact && comers.exact, own.moved || comers.moved];
    return { exact, moved, holder: undefined, holderUnheard: false, word };
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
      lapsed: await lapsesOf(template, [...own.items, ...wide.items]),
      exact: parts.every(part => part.exact),
      moved: parts.some(part => part.moved),
    };
  };
}

function selects({ metadata, spec }: AnyPolicy, template: KubeObject): boolean {
  return bestSelectorMatch(spec.resourceSelectors, template, metadata.namespace) > 0;
}

/**
 * A policy about deletion that goes leaves its word on record before it is gone: none found is none there. One that nobody
 * has heard yet may have named the kind before.
 */
function rulesIn<T extends AnyCascadePolicy>(
  reader: PastReader<T>,
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  namespace: string | undefined,
  revision: string | undefined,
): Promise<Past<T>> {
  const names = ({ spec }: T) => spec.resourceSelectors.some(s => s.apiVersion === apiVersion && s.kind === kind);
  const isAbout = (rule: T) => names(rule) || isUnheardEdit(rule);
  return reader({ namespace, revision, pick: items => items.filter(isAbout), expected: false });
}
