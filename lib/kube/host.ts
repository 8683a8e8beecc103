// The cluster that people talk to: everything of it that the reconcilers read.
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { CascadeDeletionPolicy } from "../../crds/cascade-deletion-policy.js";
import type { Cluster } from "../../crds/cluster.js";
import type { ClusterCascadeDeletionPolicy } from "../../crds/cluster-cascade-deletion-policy.js";
import type { ClusterOverridePolicy } from "../../crds/cluster-override-policy.js";
import type { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import type { ClusterResourceBinding } from "../../crds/cluster-resource-binding.js";
import type { KubeObject } from "../../crds/object.js";
import type { OverridePolicy } from "../../crds/override-policy.js";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { ResourceBinding } from "../../crds/resource-binding.js";
import type { Work } from "../../crds/work.js";
import { claimedBy, type Claim } from "../domain/claims.js";
import { CPP_ID_LABEL, CRB_ID_LABEL, PP_ID_LABEL, RB_ID_LABEL, WORK_ID_LABEL } from "../domain/marks.js";
import type { KubeClient } from "./client.js";
import { Collection } from "./collection.js";
import { Discovery } from "./discovery.js";
import * as kinds from "./kinds.js";
import { Recent } from "./recent.js";
import type { ReflectorLog } from "./reflector.js";
import { crdFactsOnly } from "./slim.js";
import { snapshotFactsOnly } from "./snapshot-facts.js";
import type { IndexFunction } from "./store.js";
import { TemplateKinds } from "./templates.js";

/** Either kind of binding. */
export type AnyBinding = ResourceBinding | ClusterResourceBinding;
/** Either kind of propagation policy. */
export type AnyPolicy = PropagationPolicy | ClusterPropagationPolicy;
/** Either kind of policy about deletion. */
export type AnyCascadePolicy = CascadeDeletionPolicy | ClusterCascadeDeletionPolicy;

/** Index of Works by the permanent id of their binding. */
export const WORKS_BY_BINDING = "binding";
/** Index of Works by execution namespace. */
export const WORKS_BY_NAMESPACE = "namespace";
/** Index of Works by their own permanent id. */
export const WORKS_BY_ID = "id";
/** Index of snapshots by the permanent id of the Work that took the object over. */
export const SNAPSHOTS_BY_WORK = "work";
/** Index of policies by permanent id. */
export const POLICIES_BY_ID = "id";
/** Index of policies by the kinds they select: see `selectedKind`. */
export const POLICIES_BY_KIND = "kind";
/** Index of bindings by the permanent id of the policy that made them. */
export const BINDINGS_BY_CLAIM = "claim";
/** Index of bindings by the clusters they go to. */
export const BINDINGS_BY_CLUSTER = "cluster";

/** Bucket of `POLICIES_BY_KIND`: a namespaced policy selects in its own namespace only. */
export function selectedKind(apiVersion: string, kind: string, policyNamespace: string | undefined): string {
  return `${policyNamespace ?? ""}|${apiVersion}|${kind}`;
}

const DECIDED = 20_000;

/** What is in a namespace, or in none. */
interface Placed {
  readonly metadata: { readonly namespace?: string };
}

type Fixed = Pick<Collection, "start" | "stop"> & { readonly reflector: Pick<Collection["reflector"], "synced"> };

/** The host's collections. `start()` begins to watch the fixed kinds; templates follow the policies. */
export class Host {
  readonly discovery: Discovery;
  readonly templates: TemplateKinds;
  readonly policies: Collection<PropagationPolicy>;
  readonly clusterPolicies: Collection<ClusterPropagationPolicy>;
  readonly overrides: Collection<OverridePolicy>;
  readonly clusterOverrides: Collection<ClusterOverridePolicy>;
  readonly cascadePolicies: Collection<CascadeDeletionPolicy>;
  readonly clusterCascadePolicies: Collection<ClusterCascadeDeletionPolicy>;
  readonly bindings: Collection<ResourceBinding>;
  readonly clusterBindings: Collection<ClusterResourceBinding>;
  readonly works: Collection<Work>;
  readonly snapshots: Collection<AdoptionSnapshot>;
  readonly clusters: Collection<Cluster>;
  readonly namespaces: Collection;
  readonly crds: Collection;
  /** The uids of templates about whose copies this process has decided: what their Works say is an order. */
  readonly decided = new Recent(DECIDED);

  constructor(
    readonly client: KubeClient,
    log: ReflectorLog,
  ) {
    const reflector = { log };
    this.discovery = new Discovery(client);
    this.templates = new TemplateKinds(client, this.discovery, log);
    const policyId = labelValues(PP_ID_LABEL, CPP_ID_LABEL);
    const asPolicies = { reflector, indexes: { [POLICIES_BY_ID]: policyId, [POLICIES_BY_KIND]: kindsOf } };
    this.policies = new Collection(client, kinds.PROPAGATION_POLICIES, asPolicies);
    this.clusterPolicies = new Collection(client, kinds.CLUSTER_PROPAGATION_POLICIES, asPolicies);
    this.overrides = new Collection(client, kinds.OVERRIDE_POLICIES, { reflector });
    this.clusterOverrides = new Collection(client, kinds.CLUSTER_OVERRIDE_POLICIES, { reflector });
    const asCascadePolicies = { reflector, indexes: { [POLICIES_BY_KIND]: kindsOf } };
    this.cascadePolicies = new Collection(client, kinds.CASCADE_DELETION_POLICIES, asCascadePolicies);
    this.clusterCascadePolicies = new Collection(client, kinds.CLUSTER_CASCADE_DELETION_POLICIES, asCascadePolicies);
    const asBindings = { reflector, indexes: { [BINDINGS_BY_CLAIM]: policyId, [BINDINGS_BY_CLUSTER]: targetsOf } };
    this.bindings = new Collection(client, kinds.RESOURCE_BINDINGS, asBindings);
    this.clusterBindings = new Collection(client, kinds.CLUSTER_RESOURCE_BINDINGS, asBindings);
    this.works = new Collection<Work>(client, kinds.WORKS, {
      reflector,
      indexes: {
        [WORKS_BY_BINDING]: labelValues(RB_ID_LABEL, CRB_ID_LABEL),
        [WORKS_BY_NAMESPACE]: work => (work.metadata.namespace ? [work.metadata.namespace] : []),
        [WORKS_BY_ID]: labelValues(WORK_ID_LABEL),
      },
    });
    this.snapshots = new Collection<AdoptionSnapshot>(client, kinds.ADOPTION_SNAPSHOTS, {
      reflector,
      transform: snapshotFactsOnly,
      indexes: { [SNAPSHOTS_BY_WORK]: labelValues(WORK_ID_LABEL) },
    });
    this.clusters = new Collection(client, kinds.CLUSTERS, { reflector });
    this.namespaces = new Collection(client, kinds.NAMESPACES, { reflector });
    this.crds = new Collection(client, kinds.CUSTOM_RESOURCE_DEFINITIONS, { reflector, transform: crdFactsOnly });
  }

  /** The very policy that a claim names. */
  policyOf(claim: Claim): AnyPolicy | undefined {
    return claimedBy(claim, this.policiesLike({ metadata: claim }).find(claim));
  }

  /** As `policyOf`, asked of the API server. @throws when it cannot be read */
  async readPolicy(claim: Claim, signal: AbortSignal): Promise<AnyPolicy | undefined> {
    return claimedBy(claim, await this.policiesLike({ metadata: claim }).client.find(claim, signal));
  }

  /** By its key: `namespace/name`, or `name` of a cluster-wide one. */
  bindingAt(key: string): AnyBinding | undefined {
    return key.includes("/") ? this.bindings.get(key) : this.clusterBindings.get(key);
  }

  /** The collection that a binding is in: by its namespace. */
  bindingsLike({ metadata }: Placed): Collection<AnyBinding> {
    return eitherOf<AnyBinding>(metadata.namespace ? this.bindings : this.clusterBindings);
  }

  /** The collection that a propagation policy is in: by its namespace. */
  policiesLike({ metadata }: Placed): Collection<AnyPolicy> {
    return eitherOf<AnyPolicy>(metadata.namespace ? this.policies : this.clusterPolicies);
  }

  /** The collection that a policy about deletion is in: by its namespace. */
  cascadePoliciesLike({ metadata }: Placed): Collection<AnyCascadePolicy> {
    return eitherOf<AnyCascadePolicy>(metadata.namespace ? this.cascadePolicies : this.clusterCascadePolicies);
  }

  /** Resolves when every fixed kind is listed once and the host's kinds are known. */
  async start(): Promise<void> {
    for (const collection of this.#fixed) collection.start();
    await Promise.all([this.discovery.refresh(), ...this.#fixed.map(c => c.reflector.synced)]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.templates.stop(), ...this.#fixed.map(c => c.stop())]);
    await this.client.close();
  }

  get #fixed(): readonly Fixed[] {
    return [
      this.policies,
      this.clusterPolicies,
      this.overrides,
      this.clusterOverrides,
      this.cascadePolicies,
      this.clusterCascadePolicies,
      this.bindings,
      this.clusterBindings,
      this.works,
      this.snapshots,
      this.clusters,
      this.namespaces,
      this.crds,
    ];
  }
}

/** Whoever asked by namespace puts back only what was in there: the two kinds of a pair differ in nothing else. */
function eitherOf<T extends KubeObject>(collection: unknown): Collection<T> {
  return collection as Collection<T>;
}

function labelValues(...labels: readonly string[]): IndexFunction<KubeObject> {
  return object => labels.flatMap(label => object.metadata.labels?.[label] ?? []);
}

function kindsOf(policy: AnyPolicy | AnyCascadePolicy): readonly string[] {
  const { namespace } = policy.metadata;
  return [...new Set(policy.spec.resourceSelectors.map(s => selectedKind(s.apiVersion, s.kind, namespace)))];
}

function targetsOf(binding: AnyBinding): readonly string[] {
  return (binding.spec.clusters ?? []).map(c => c.name);
}
