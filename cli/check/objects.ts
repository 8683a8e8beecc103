// How do members, policies and Works do, as they say themselves?
import type { Cluster } from "../../crds/cluster.js";
import type { Condition, KubeObject } from "../../crds/object.js";
import { listed } from "../../lib/domain/listed.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { storeKey } from "../../lib/kube/store.js";
import { broken, doubtful, fine, type Finding } from "./finding.js";

/** With a list of conditions, as all our kinds. */
type Conditioned = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/** The alert about a stuck finalizer waits as long. */
const STUCK_MS = 30 * 60_000;

/** One finding for each member. */
export function memberFindings(clusters: readonly Cluster[]): Finding[] {
  if (clusters.length === 0) {
    return [doubtful("members", "none has joined", "holdfast join NAME --cluster-kubeconfig FILE")];
  }
  return clusters.map(memberFinding);
}

function memberFinding(cluster: Cluster): Finding {
  const { name } = cluster.metadata;
  const check = `member ${name}`;
  const ready = conditionOf(cluster, "Ready");
  if (ready?.status === "True") return fine(check, `ready, Kubernetes ${cluster.status?.kubernetesVersion ?? "?"}`);
  const message = ready ? `${ready.reason}: ${ready.message}` : "nobody has looked at it yet";
  const fix = `bring it back; holdfast join ${name} renews its credentials; holdfast unjoin ${name} lets go of it. Its Works wait`;
  return broken(check, message, ready ? fix : "see whether a watcher leads");
}

/** What policies say of themselves: those that cannot take effect, and those that hold nothing. */
export function policyFindings(policies: readonly Conditioned[]): Finding[] {
  const unready = policies.flatMap(policy => {
    const ready = conditionOf(policy, "Ready");
    return ready?.status === "False" ? [{ name: placeOf(policy), ready }] : [];
  });
  const idle = unready.filter(({ ready }) => ready.reason === "NoMatch");
  const stuck = unready.filter(({ ready }) => ready.reason !== "NoMatch");
  const see = "kubectl describe pp,cpp -A shows condition Ready; its message says what is missing";
  const findings = [
    stuck.length > 0 && broken("policies", `${stuck.length} cannot take effect: ${reasonsOf(stuck)}`, see),
    idle.length > 0 &&
      doubtful("policies", `${idle.length} select nothing: ${listed(idle.map(({ name }) => name))}`, see),
  ].filter(finding => finding !== false);
  return findings.length > 0 ? findings : [fine("policies", `${policies.length}, all in effect`)];
}

function reasonsOf(some: readonly { readonly name: string; readonly ready: Condition }[]): string {
  return listed(some.map(({ name, ready }) => `${name} (${ready.reason})`));
}

/** Works that cannot be brought into their member, and those that cannot leave it. */
export function workFindings(works: readonly Conditioned[], now: number): Finding[] {
  const failing = works.filter(work => conditionOf(work, "Applied")?.status === "False");
  const stuck = works.filter(
    ({ metadata }) => metadata.deletionTimestamp && now - Date.parse(metadata.deletionTimestamp) > STUCK_MS,
  );
  const findings = [
    failing.length > 0 &&
      broken(
        "works",
        `${failing.length} of ${works.length} are not applied: ${listed(failing.map(withReason))}`,
        "kubectl describe work NAME -n karmada-es-CLUSTER has the member's own words; holdfast tree KIND/NAME shows what it comes from",
      ),
    stuck.length > 0 &&
      broken(
        "works",
        `${stuck.length} have waited for over 30 minutes to go: ${listed(stuck.map(placeOf))}`,
        "a member that is not ready, or a finalizer on the object there, holds them; kubectl describe work says which",
      ),
  ].filter(finding => finding !== false);
  return findings.length > 0 ? findings : [fine("works", `${works.length}, none in trouble`)];
}

function withReason(work: Conditioned): string {
  return `${placeOf(work)} (${conditionOf(work, "Applied")?.reason ?? ""})`;
}

const placeOf = ({ metadata }: KubeObject): string => storeKey(metadata);
