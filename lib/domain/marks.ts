// Which labels, annotations, finalizers and names are marks of this system or of Karmada?

/** Says "Karmada or Holdfast put this object here"; the value is `"true"` (spec/karmada 1.4). */
export const MANAGED_LABEL = "karmada.io/managed";
/** Marks the system's own objects, such as execution namespaces; the value is `"true"` (spec/karmada 2.1). */
export const SYSTEM_LABEL = "karmada.io/system";

/** Id of the Work an object belongs to; on the Work and on the member object (spec/karmada 2.2). */
export const WORK_ID_LABEL = "work.karmada.io/permanent-id";
/** Id of the PropagationPolicy that claims an object (spec/karmada 4.3). */
export const PP_ID_LABEL = "propagationpolicy.karmada.io/permanent-id";
/** Id of the ClusterPropagationPolicy that claims an object (spec/karmada 4.3). */
export const CPP_ID_LABEL = "clusterpropagationpolicy.karmada.io/permanent-id";
/** Id of the ResourceBinding a Work was rendered from (spec/karmada 2.2). */
export const RB_ID_LABEL = "resourcebinding.karmada.io/permanent-id";
/** Id of the ClusterResourceBinding a Work was rendered from (spec/karmada 2.2). */
export const CRB_ID_LABEL = "clusterresourcebinding.karmada.io/permanent-id";
/** Id of a MultiClusterService; Karmada copies it onto the Service it takes over (spec/karmada 2.2). */
export const MCS_ID_LABEL = "multiclusterservice.karmada.io/permanent-id";

/** Namespace of the PropagationPolicy that claims an object (spec/karmada 4.3). */
export const PP_NAMESPACE_ANNOTATION = "propagationpolicy.karmada.io/namespace";
/** Name of the PropagationPolicy that claims an object (spec/karmada 4.3). */
export const PP_NAME_ANNOTATION = "propagationpolicy.karmada.io/name";
/** Name of the ClusterPropagationPolicy that claims an object (spec/karmada 4.3). */
export const CPP_NAME_ANNOTATION = "clusterpropagationpolicy.karmada.io/name";
/** Namespace of the ResourceBinding a Work was rendered from (spec/karmada 2.2). */
export const RB_NAMESPACE_ANNOTATION = "resourcebinding.karmada.io/namespace";
/** Name of the ResourceBinding a Work was rendered from (spec/karmada 2.2). */
export const RB_NAME_ANNOTATION = "resourcebinding.karmada.io/name";
/** Name of the ClusterResourceBinding a Work was rendered from (spec/karmada 2.2). */
export const CRB_NAME_ANNOTATION = "clusterresourcebinding.karmada.io/name";
/** The objects a template depends on, as JSON, on its ResourceBinding (spec/karmada 1.8). */
export const DEPENDENCIES_ANNOTATION = "resourcebinding.karmada.io/dependencies";
/** With a reference key behind it: which binding an attached binding serves (spec/karmada 1.8). */
export const DEPENDED_BY_LABEL_PREFIX = "resourcebinding.karmada.io/depended-by-";

/** uid of the template a Work was rendered from (spec/karmada 1.4). */
export const TEMPLATE_UID_ANNOTATION = "resourcetemplate.karmada.io/uid";
/** Set by people on a template: `abort` or `overwrite`; wins over the policy (spec/karmada 1.7). */
export const CONFLICT_RESOLUTION_ANNOTATION = "work.karmada.io/conflict-resolution";
/** Set by people on a template: `orphan` or `background`, the strongest word on preserve (design 2). */
export const CASCADE_DELETION_ANNOTATION = "resourcetemplate.karmada.io/cascadedeletion";
/** Set by people on a template: `"true"` leaves `spec.replicas` to the members (design 6). */
export const RETAIN_REPLICAS_LABEL = "resourcetemplate.karmada.io/retain-replicas";
/** Set on a template that another controller propagates; the value is that owner's kind (spec/karmada 4.1). */
export const CLAIMED_BY_LABEL = "resourcetemplate.karmada.io/claimed-by";
/** Set by people: `Always` refuses every DELETE of the object (spec/karmada 3.4). */
export const DELETION_PROTECTED_LABEL = "resourcetemplate.karmada.io/deletion-protected";
/** Set by people on a Namespace: `"true"` keeps it out of namespace sync (spec/karmada 8.1). */
export const SKIP_AUTO_PROPAGATION_LABEL = "namespace.karmada.io/skip-auto-propagation";

/** Which OverridePolicies shaped a Work, as JSON (spec/karmada 2.2). */
export const APPLIED_OVERRIDES_ANNOTATION = "policy.karmada.io/applied-overrides";
/** Which ClusterOverridePolicies shaped a Work, as JSON (spec/karmada 2.2). */
export const APPLIED_CLUSTER_OVERRIDES_ANNOTATION = "policy.karmada.io/applied-cluster-overrides";
/** The placement a binding was last scheduled with, as JSON (spec/karmada 2.2). */
export const APPLIED_PLACEMENT_ANNOTATION = "policy.karmada.io/applied-placement";

/** Which generation of its binding a Work renders (design 7). */
export const BINDING_GENERATION_ANNOTATION = "holdfast.dev/binding-generation";
/** What a Work was ordered to do with its member object when it goes: keep or delete (design 3). */
export const ORDER_ANNOTATION = "holdfast.dev/order";
/** On a Work: which policy about deletion gave its word, as long as one did; so the word outlives binding and policy. */
export const DECIDED_BY_ANNOTATION = "holdfast.dev/decided-by";
/** Label on a host namespace whose objects are templates and must not run there (design 1). */
export const TEMPLATES_LABEL = "holdfast.dev/templates";
/** On a host namespace: `run` says that what is in it may start here, now that its label goes (design 1). */
export const TEMPLATES_RELEASED_ANNOTATION = "holdfast.dev/templates-released";
/** Label (`"true"`) and annotation (what the user had written) of a held template (design 1). */
export const HELD_MARK = "holdfast.dev/held";

/** On a policy: any new value has all that it holds tried again at once. For people whose mending nothing else tells of. */
export const RECONCILE_ANNOTATION = "holdfast.dev/reconcile-at";

/** On a template: it may not go before its order has been given (design 3). */
export const LET_GO_FINALIZER = "holdfast.dev/let-go";
/** On a Work (spec/karmada 2.3). */
export const WORK_FINALIZER = "karmada.io/execution-controller";
/** On a ResourceBinding (spec/karmada 2.3). */
export const BINDING_FINALIZER = "karmada.io/binding-controller";
/** On a ClusterResourceBinding (spec/karmada 2.3). */
export const CRB_FINALIZER = "karmada.io/cluster-resource-binding-controller";
/** On a PropagationPolicy (spec/karmada 2.3). */
export const PP_FINALIZER = "karmada.io/propagation-policy-controller";
/** On a ClusterPropagationPolicy (spec/karmada 2.3). */
export const CPP_FINALIZER = "karmada.io/cluster-propagation-policy-controller";
/** On a CascadeDeletionPolicy of either kind: it may not go before its last word is on record (design 3). */
export const CASCADE_FINALIZER = "holdfast.dev/cascade-deletion";
/** On a Cluster (spec/karmada 2.3). */
export const CLUSTER_FINALIZER = "karmada.io/cluster-controller";

/** The name that server-side apply records for us in members (design 6). */
export const FIELD_MANAGER = "holdfast";

/**
 * Every label that Karmada, or we, may have left on a member object. Upstream's own cleaning forgets the
 * ClusterPropagationPolicy and ClusterResourceBinding ids (spec/karmada 1.4); a release removes all of these.
 */
export const KARMADA_MEMBER_LABELS: readonly string[] = [
  MANAGED_LABEL,
  WORK_ID_LABEL,
  PP_ID_LABEL,
  CPP_ID_LABEL,
  RB_ID_LABEL,
  CRB_ID_LABEL,
  MCS_ID_LABEL,
  CLAIMED_BY_LABEL,
  // A word to whoever propagates; without one it says nothing.
  RETAIN_REPLICAS_LABEL,
];

/**
 * Every annotation that Karmada may have left on a member object. Upstream's own cleaning forgets
 * `conflict-resolution` and the cluster-scoped names (spec/karmada 1.4); a release removes all of these.
 */
export const KARMADA_MEMBER_ANNOTATIONS: readonly string[] = [
  PP_NAMESPACE_ANNOTATION,
  PP_NAME_ANNOTATION,
  CPP_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  RB_NAME_ANNOTATION,
  CRB_NAME_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  "resourcetemplate.karmada.io/generation",
  "resourcetemplate.karmada.io/managed-labels",
  "resourcetemplate.karmada.io/managed-annotations",
  "work.karmada.io/name",
  "work.karmada.io/namespace",
  CONFLICT_RESOLUTION_ANNOTATION,
  "multiclusterservice.karmada.io/name",
  "multiclusterservice.karmada.io/namespace",
];
/** On a binding: hash of the manifest that its template's authors wrote, so that status writes are told from edits. */
export const TEMPLATE_HASH_ANNOTATION = "holdfast.dev/template-hash";
/** On a Work: generation of the template that it renders. */
export const TEMPLATE_GENERATION_ANNOTATION = "resourcetemplate.karmada.io/generation";
