// What a policy said at the moment when a template was deleted.
import { claimBy, type Claim } from "../../lib/domain/claims.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Query } from "../../lib/kube/client.js";
import { isLater } from "../../lib/kube/revision.js";
import type { StoreChange } from "../../lib/kube/store.js";
import type { PolicyReading } from "./plan.js";

/** Reads policies as of a revision. */
export interface PolicyReader {
  /** As of a revision. @throws when the host cannot be read: then nothing is decided. */
  at(claim: Claim, revision: string): Promise<PolicyReading>;
  /** As it is now, from the server and not from a cache. @throws likewise. */
  now(claim: Claim): Promise<PolicyReading>;
}

const BATCH_MS = 50;

/** How a policy was when this generation of it was first seen. */
interface Sight {
  readonly generation: number | undefined;
  readonly revision: string;
  /** Its status spoke of an older one: the edit came while nobody was looking. */
  readonly unheard: boolean;
}

interface Waiting {
  readonly claim: Claim;
  /** `undefined`: now. */
  readonly revision: string | undefined;
  readonly resolve: (reading: PolicyReading) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One live LIST answers for all templates that wait, as long as the policy has not changed since their deletion: we know
 * from which revision on it has had its present generation. Only where it has changed is the server asked for the exact
 * revision (`resourceVersionMatch=Exact`); a live read there would give a value from after the deletion.
 */
export function policyReader({ host }: Pick<Dependencies, "host">): PolicyReader {
  const since = new Map<string, Sight>();
  let waiting: Waiting[] = [];

  host.policies.subscribe(remember);
  host.clusterPolicies.subscribe(remember);
  for (const policy of host.policies.store.values()) remember({ key: "", before: undefined, after: policy });
  for (const policy of host.clusterPolicies.store.values()) remember({ key: "", before: undefined, after: policy });

  function remember({ before, after }: StoreChange<AnyPolicy>): void {
    if (!after) {
      if (before?.metadata.uid) since.delete(before.metadata.uid);
      return;
    }
    const { uid = "", generation, resourceVersion = "" } = after.metadata;
    if (since.get(uid)?.generation === generation) return;
    since.set(uid, { generation, revision: resourceVersion, unheard: isEditedUnseen(after) });
  }

  async function readBatch(batch: readonly Waiting[]): Promise<void> {
    const scopes = new Map<string, Waiting[]>();
    for (const one of batch) {
      const scope = one.claim.namespace ?? "";
      scopes.set(scope, [...(scopes.get(scope) ?? []), one]);
    }
    // Side by side: a namespace whose answer takes long holds up no other.
    await Promise.all([...scopes.values()].map(readScope));
  }

  async function readScope(group: readonly Waiting[]): Promise<void> {
    const claim = group[0]?.claim;
    if (!claim) return;
    try {
      const live = await list(host, claim, {});
      for (const one of group) {
        const policy = live.find(p => claimBy(one.claim.kind, p)?.id === one.claim.id);
        const { revision } = one;
        if (revision === undefined) one.resolve(reading(policy, true));
        else if (policy && unchangedSince(policy, revision)) {
          one.resolve({ ...reading(policy, true), ...(isUnheard(policy) ? { past: true } : {}) });
        } else exactly(one.claim, revision, policy).then(one.resolve, one.reject);
      }
    } catch (error) {
      for (const one of group) one.reject(error);
    }
  }

  function unchangedSince(policy: AnyPolicy, revision: string): boolean {
    const known = since.get(policy.metadata.uid ?? "");
    return known !== undefined && known.generation === policy.metadata.generation && !isLater(known.revision, revision);
  }

  async function exactly(claim: Claim, revision: string, live: AnyPolicy | undefined): Promise<PolicyReading> {
    try {
      const then = await list(host, claim, { resourceVersion: revision, resourceVersionMatch: "Exact" });
      const policy = then.find(p => claimBy(claim.kind, p)?.id === claim.id);
      return { ...reading(policy, true), past: true };
    } catch (error) {
      // Compacted away, or a server that does not keep history: what is there now is the best there is.
      const refused = error instanceof KubeError && [400, 410, 504].includes(error.status);
      if (!refused) throw error;
      return { ...reading(live, false), edited: live !== undefined && isUnheard(live) };
    }
  }

  /** By what its status said before we spoke in it ourselves. */
  function isUnheard(policy: AnyPolicy): boolean {
    const known = since.get(policy.metadata.uid ?? "");
    return known && known.generation === policy.metadata.generation ? known.unheard : isEditedUnseen(policy);
  }

  function ask(claim: Claim, revision: string | undefined): Promise<PolicyReading> {
    return new Promise((resolve, reject) => {
      waiting.push({ claim, revision, resolve, reject });
      if (waiting.length > 1) return;
      setTimeout(() => {
        const batch = waiting;
        waiting = [];
        void readBatch(batch);
      }, BATCH_MS);
    });
  }

  return { at: ask, now: claim => ask(claim, undefined) };
}

async function list(host: Host, claim: Claim, query: Query): Promise<readonly AnyPolicy[]> {
  if (claim.kind === "ClusterPropagationPolicy") return (await host.clusterPolicies.client.list(query)).items;
  return (await host.policies.client.list(query, claim.namespace)).items;
}

/** True when its spec is not the one that its status speaks of. Its deletion counts as one generation and is no edit. */
function isEditedUnseen({ metadata, status }: AnyPolicy): boolean {
  const { generation = 0, deletionTimestamp } = metadata;
  return (status?.observedGeneration ?? 0) < generation - (deletionTimestamp ? 1 : 0);
}

function reading<Exact extends boolean>(policy: AnyPolicy | undefined, exact: Exact) {
  return { exact, found: policy !== undefined, preserve: policy?.spec.preserveResourcesOnDeletion ?? false };
}
