// Can an object of a member become a template of this host, and if not, why, and what is the way out?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimOf, describeClaim } from "../../lib/domain/claims.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { KARMADA_MEMBER_ANNOTATIONS, MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import { choosePolicy, type Candidate } from "../../lib/domain/policy-choice.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { apiVersionOf } from "../../lib/kube/resource.js";
import { objectKey } from "../view/adoption.js";
import type { PlannedKind } from "./kinds.js";
import { MIGRATION_MANAGER } from "./names.js";
import { titleOf } from "../../lib/domain/title.js";

/**
 * `ready`: taking it over changes nothing but two labels · `changes`: it would be otherwise, `diff` says how, and `rollsOut`
 * that its Pods would be replaced · `managed`: it
 * is under this very host already · `blocked`: it cannot be taken over, or had better not be.
 */
export type Verdict =
  | { readonly state: "ready" | "managed" }
  | { readonly state: "changes"; readonly diff: string; readonly rollsOut: boolean }
  | { readonly state: "blocked"; readonly why: string; readonly wayOut: string };

/** One object on its way. */
export interface Subject {
  readonly kind: PlannedKind;
  readonly live: KubeObject;
  /** The template that was made from it. */
  readonly template: KubeObject;
}

/** What the host says about the objects of one member. */
export interface HostFacts {
  readonly cluster: string;
  /** Objects of the host, by `objectKey`. */
  readonly templates: ReadonlyMap<string, KubeObject>;
  /** The Works of the member, by `objectKey` of what they carry. */
  readonly works: ReadonlyMap<string, Work>;
  readonly policies: readonly Candidate<AnyPolicy>[];
  /** Names of the policies that are to claim the templates. */
  readonly ownPolicies: readonly string[];
}

/** The subject with the template that counts; `settled` when nobody needs to ask the member. */
export interface Judged {
  readonly subject: Subject;
  readonly settled?: Verdict;
}

/** All that is decided without asking the member. Pure. */
export function judge(subject: Subject, facts: HostFacts): Judged {
  const { live, kind } = subject;
  if (!kind.onHost) return blocked(subject, ...unknownKind(kind));
  const key = objectKey(live);
  const work = facts.works.get(key);
  const onHost = facts.templates.get(key);
  if (isMarked(live)) return judgeMarked(subject, work, onHost);
  const own = onHost && isFromMigration(onHost) ? { ...subject, template: ownedManifest(onHost) } : subject;
  const obstacle = (onHost && obstacleOnHost(own, onHost, facts)) ?? rivalPolicy(own, onHost, facts);
  return obstacle ? blocked(own, ...obstacle) : { subject: own };
}

type Obstacle = readonly [why: string, wayOut: string];

function blocked(subject: Subject, why: string, wayOut: string): Judged {
  return { subject, settled: { state: "blocked", why, wayOut } };
}

function unknownKind({ resource, hostVersions }: PlannedKind): Obstacle {
  const { group, kind, plural } = resource;
  const version = apiVersionOf(resource);
  if (hostVersions.length > 0) {
    const why = `the host serves ${kind} as ${hostVersions.join(", ")} only, the member as ${version}`;
    return [why, `let the host serve ${version} (a newer CRD, or a newer Kubernetes), and plan again`];
  }
  const definition = `${plural}.${group || "core"}`;
  return [
    `the host knows no ${kind} (${version})`,
    `install its CRD ${definition} on the host, or apply this plan first if the CRD is in it; then plan again`,
  ];
}

/** Any word of ours or of Karmada's. */
function isMarked({ metadata: { labels = {}, annotations = {} } }: KubeObject): boolean {
  if (labels[MANAGED_LABEL] === "true" || WORK_ID_LABEL in labels) return true;
  return KARMADA_MEMBER_ANNOTATIONS.some(key => key in annotations && key.startsWith("work.karmada.io/"));
}

function judgeMarked(subject: Subject, work: Work | undefined, onHost: KubeObject | undefined): Judged {
  const id = subject.live.metadata.labels?.[WORK_ID_LABEL];
  if (work && id !== undefined && work.metadata.labels?.[WORK_ID_LABEL] === id) {
    const template = onHost ? ownedManifest(onHost) : subject.template;
    return { subject: { ...subject, template }, settled: { state: "managed" } };
  }
  const { kind, metadata } = subject.live;
  const where = metadata.namespace ? ` -n ${metadata.namespace}` : "";
  const labels = `kubectl label${where} ${kind.toLowerCase()} ${metadata.name} ${MANAGED_LABEL}- ${WORK_ID_LABEL}-`;
  return blocked(
    subject,
    "another Holdfast or Karmada manages it: it bears the marks of a control plane that is not this host",
    `let go of it there first (holdfast rollback, or preserve and delete its template); where that host is lost for good: ${labels}`,
  );
}

/** Whether a template was put there by a migration or a promotion. */
export function isFromMigration({ metadata }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some(({ manager }) => manager === MIGRATION_MANAGER);
}

function obstacleOnHost({ template }: Subject, onHost: KubeObject, facts: HostFacts): Obstacle | undefined {
  const { cluster, ownPolicies } = facts;
  const claim = claimOf(onHost);
  const isOwn = claim === undefined || ownPolicies.includes(claim.name);
  if (claim && !isOwn) {
    const name = describeClaim(claim);
    return [
      `the host has this template already, and ${name} holds it`,
      `let that policy place it in ${cluster}, with conflictResolution: Overwrite and preserveResourcesOnDeletion: true`,
    ];
  }
  if (isFromMigration(onHost) || sameContent(ownedManifest(onHost), template)) return undefined;
  return [
    "the host has an object of this name with other content",
    "make both say the same, or rename or delete the one on the host; then plan again",
  ];
}

function sameContent(a: KubeObject, b: KubeObject): boolean {
  return sameJson(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}

/** Another policy that would claim the template before ours. */
function rivalPolicy({ template }: Subject, onHost: KubeObject | undefined, facts: HostFacts): Obstacle | undefined {
  const { policies, ownPolicies } = facts;
  const { namespace, name } = template.metadata;
  const kind = namespace === undefined ? "ClusterPropagationPolicy" : "PropagationPolicy";
  const selector = { apiVersion: template.apiVersion, kind: template.kind, name };
  const own = { metadata: { name: ownPolicies[0] ?? "", namespace }, spec: { resourceSelectors: [selector] } };
  const others = policies.filter(({ policy: { metadata } }) => !ownPolicies.includes(metadata.name));
  const candidates = [{ kind, policy: own } as const, ...others];
  const { winner } = choosePolicy<Candidate["policy"]>(onHost ?? template, candidates);
  if (!winner || winner.policy === own) return undefined;
  const rival = titleOf({ kind: winner.kind, metadata: winner.policy.metadata });
  return [
    `${rival} on the host selects it too, and goes first`,
    `lower its priority or let it not select the object; or leave the object to that policy and apply its template by hand`,
  ];
}

/** Where the Works of a member are. */
export const worksNamespace = executionNamespace;

/** `Deployment shop/web`, with the group where Kubernetes' own is not meant. */
export function fullTitleOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  const suffix = group.includes(".") && !group.endsWith(".k8s.io") ? `.${group}` : "";
  return titleOf({ kind: `${kind}${suffix}`, metadata: object.metadata });
}
