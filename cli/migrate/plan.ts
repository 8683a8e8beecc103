// What does it take to bring the objects of a member under this host, and what would change? Writes nothing anywhere.
import type { Cluster } from "../../crds/cluster.js";
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { identityOf } from "../identity.js";
import { colorsFor } from "../output/color.js";
import type { Progress } from "../output/progress.js";
import { readPolicies, type Policies } from "../preview/policies.js";
import { EXIT, Problem } from "../problem.js";
import { assess } from "./assess.js";
import { sortObject } from "./candidates.js";
import type { Files } from "./directory.js";
import { filesOf } from "./files.js";
import { readHostFacts, runsWorkloads } from "./facts.js";
import { gather, type Found, type Gathered } from "./gather.js";
import { plannedKinds } from "./kinds.js";
import { planPolicyName, type Scope } from "./names.js";
import { plannedObject, type PlannedObject, type Report } from "./report.js";
import { scaledBy, scaleKey, templateFrom, tidy } from "./template.js";
import type { Subject } from "./verdict.js";

/** What is asked for. */
export interface PlanRequest {
  readonly scope: Scope;
  readonly withSecrets: boolean;
}

/** The report, without the hashes of files, and the files. */
export interface Plan {
  readonly report: Report;
  readonly files: Files;
}

/** `fleet` has one cluster, the member. @throws Problem, KubeError */
export async function makePlan(fleet: Fleet, request: PlanRequest, progress: Progress): Promise<Plan> {
  const { scope, withSecrets } = request;
  const member = await memberOf(fleet);
  refuseReserved(scope.namespace);
  const kinds = plannedKinds(member.discovery.served.resources, fleet.discovery.served.resources, {
    words: scope.kinds,
    clusterWide: scope.namespace === undefined,
  });
  const gathered = await gather(member, { ...scope, kinds, withSecrets }, progress);
  refuseAbsent(scope, gathered);
  const sorted = sortAll(gathered.found);
  const isName = ({ object }: Found): boolean => !withSecrets && isSecret(object);
  const subjects = subjectsOf(
    sorted.candidates.filter(found => !isName(found)),
    gathered,
  );
  const assessments = await assessAll({ fleet, member, scope }, subjects, progress);
  const objects = [...assessments.map(plannedObject), ...sorted.owned].sort(byPlace);
  const secrets = sorted.candidates
    .filter(isName)
    .map(({ object: { metadata } }) => metadata)
    .sort(byName);
  const report: Report = {
    version: 1,
    scope,
    objects,
    secrets: secrets.map(({ namespace, name }) => ({ ...(namespace && { namespace }), name })),
    leftOut: sorted.leftOut,
    files: {},
  };
  return { report, files: filesOf(report, assessments, gathered) };
}

async function memberOf(fleet: Fleet): Promise<MemberAccess> {
  const [cluster] = fleet.clusters;
  if (!cluster) throw new Problem("no member is named", "give --from MEMBER", EXIT.usage);
  await refuseHost(fleet, cluster);
  return fleet.member(cluster);
}

/** A host may be joined as a member of itself. @throws Problem */
export async function refuseHost({ host }: Pick<Fleet, "host">, { metadata, spec }: Cluster): Promise<void> {
  if ((await identityOf(host.client, "the host")) !== spec.id) return;
  const hint = "its objects are templates as they are: write a policy that selects them, and places them elsewhere";
  throw new Problem(`${metadata.name} is the host itself: there is nothing to move`, hint, EXIT.usage);
}

function refuseReserved(namespace: string | undefined): void {
  if (namespace === undefined || namespace === "default") return;
  const why = whyNeverTemplate({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  if (why !== undefined) throw new Problem(`-n ${namespace}: ${why}`, "plan the namespaces of your own", EXIT.usage);
}

function refuseAbsent({ cluster, namespace }: Scope, { namespaces }: Gathered): void {
  if (namespace === undefined || namespaces.has(namespace)) return;
  const hint = "kubectl get namespaces there lists them; -A plans all of them";
  throw new Problem(`${cluster} has no namespace ${namespace}`, hint, EXIT.usage);
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "Secret";
}

interface SortedAll {
  readonly candidates: readonly Found[];
  readonly owned: readonly PlannedObject[];
  readonly leftOut: Report["leftOut"];
}

function sortAll(found: readonly Found[]): SortedAll {
  const candidates: Found[] = [];
  const owned: PlannedObject[] = [];
  const counts = new Map<string, Report["leftOut"][number]>();
  for (const one of found) {
    const sorted = sortObject(one.object);
    if (sorted.sort === "candidate") candidates.push(one);
    else if (sorted.sort === "owned") owned.push(ownedObject(one.object, sorted));
    else {
      const { kind } = one.object;
      const key = `${kind}|${sorted.why}`;
      counts.set(key, { kind, why: sorted.why, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  const leftOut = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return { candidates, owned, leftOut };
}

function ownedObject(
  object: KubeObject,
  { why, wayOut }: { readonly why: string; readonly wayOut: string },
): PlannedObject {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid = "" } = metadata;
  const verdict = { state: "blocked" as const, why, wayOut };
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name, uid, verdict, remarks: [] };
}

function subjectsOf(found: readonly Found[], { autoscalers }: Gathered): readonly Subject[] {
  const scaled = scaledBy(autoscalers);
  return found.map(({ kind, object: live }) => {
    const { namespace = "", name } = live.metadata;
    const isScaled = scaled.has(scaleKey(gvkOf(live).group, live.kind, namespace, name));
    return { kind, live, template: tidy(templateFrom(live, { isScaled })) };
  });
}

interface Place {
  readonly fleet: Fleet;
  readonly member: MemberAccess;
  readonly scope: Scope;
}

async function assessAll({ fleet, member, scope }: Place, subjects: readonly Subject[], progress: Progress) {
  const host = fleet.host.client;
  const [policies, hostRuns] = await Promise.all([readPolicies(host), runsWorkloads(host)]);
  const kinds = [...new Set(subjects.flatMap(({ kind }) => kind.onHost ?? []))];
  const ownPolicies = ownNames(scope, policies);
  const request = { cluster: member.name, policies, ownPolicies, kinds, namespace: scope.namespace };
  const facts = await readHostFacts(host, request);
  const context = { member, facts, policies, hostRuns, colors: colorsFor(false, {}, "never") };
  let done = 0;
  return mapLimited(subjects, async subject => {
    const assessment = await assess(subject, context);
    progress.count(++done, subjects.length, "objects looked at");
    return assessment;
  });
}

/** The name of a plan's policies, also of those that hold what did not fit into the first. */
function ownNames(scope: Scope, { propagation }: Policies): readonly string[] {
  const name = planPolicyName(scope);
  const more = propagation.map(({ policy }) => policy.metadata.name).filter(other => isPartOf(other, name));
  return [name, ...more];
}

function isPartOf(other: string, name: string): boolean {
  return other.startsWith(`${name}-`) && /^\d+$/.test(other.slice(name.length + 1));
}

function byPlace(a: PlannedObject, b: PlannedObject): number {
  const key = ({ namespace = "", kind, apiVersion, name }: PlannedObject) =>
    [namespace, kind, apiVersion, name].join("|");
  return key(a) < key(b) ? -1 : 1;
}

function byName(a: KubeObject["metadata"], b: KubeObject["metadata"]): number {
  return `${a.namespace}|${a.name}` < `${b.namespace}|${b.name}` ? -1 : 1;
}
