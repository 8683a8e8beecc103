// Does the operator work: does a watcher lead, do its Deployments stand, does admission answer?
import type { KubeObject } from "../../crds/object.js";
import { LEASES, WATCHER_LEASE, type Lease } from "../../lib/engine/lease-object.js";
import { checkWebhook } from "../../lib/engine/webhook-check.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { messageOf } from "../../lib/kube/errors.js";
import { pause } from "../../lib/kube/pause.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { broken, fine, unseen, type Finding } from "./finding.js";

/** A Lease is renewed every second and held for four: one that stands still for longer is nobody's. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 300;

/** Watches the Lease move: the clocks of this machine and the operator's need not agree. */
export async function leaderFinding(client: KubeClient, namespace: string): Promise<Finding> {
  const leases = new ResourceClient<Lease>(client, LEASES);
  const read = (): Promise<Lease | undefined> => leases.find({ namespace, name: WATCHER_LEASE });
  const fix = `see the logs: kubectl logs deployment/holdfast-watcher -n ${namespace}. Until one leads nothing moves, and nothing is lost`;
  try {
    const first = await read();
    if (!first?.spec?.holderIdentity) return broken("watcher", "none leads", fix);
    const leader = await whoRenews(read, first.spec.renewTime);
    if (leader) return fine("watcher", `${leader} leads`);
    const { holderIdentity, renewTime } = first.spec;
    return broken("watcher", `${holderIdentity} has not renewed its Lease since ${renewTime}`, fix);
  } catch (error) {
    return unseen("watcher", messageOf(error));
  }
}

/** The holder, once the Lease was renewed after what was seen before; `undefined` when nobody does. */
async function whoRenews(read: () => Promise<Lease | undefined>, before?: string): Promise<string | undefined> {
  const until = performance.now() + PATIENCE_MS;
  const { signal } = new AbortController();
  while (performance.now() < until) {
    await pause(LOOK_MS, signal);
    const { renewTime, holderIdentity } = (await read())?.spec ?? {};
    if (renewTime !== before && holderIdentity) return holderIdentity;
  }
  return undefined;
}

/** Asks as a person would, in a dry run. */
export async function admissionFinding(client: KubeClient, namespace: string, withinMs: number): Promise<Finding> {
  const why = await checkWebhook(client, namespace, withinMs);
  if (why === undefined) return fine("admission", "answers");
  const fix = `kubectl get pods,endpoints -n ${namespace}, and the logs of deployment/holdfast-admission; while it does not answer, policies cannot be changed`;
  return broken("admission", why, fix);
}

/** Both configurations have to be there: without one, the other half of admission is never asked. */
export function webhooksFinding(found: Readonly<Record<"mutating" | "validating", KubeObject | undefined>>): Finding {
  const missing = Object.entries(found).flatMap(([name, object]) => (object ? [] : [name]));
  if (missing.length === 0) return fine("webhooks", "mutating and validating are registered");
  const fix = "helm upgrade registers them; without them wrong policies are taken and fields are not defaulted";
  return broken("webhooks", `no ${missing.join(" and no ")} webhook configuration holdfast`, fix);
}

/** One finding for each Deployment of the operator. */
export function deploymentFindings(deployments: readonly KubeObject[]): Finding[] {
  return deployments.map(({ metadata: { name, namespace }, spec, status }) => {
    const wanted = numberIn(spec, "replicas") ?? 1;
    const available = numberIn(status, "availableReplicas") ?? 0;
    const message = `${available} of ${wanted} pods are available`;
    if (wanted > 0 && available >= wanted) return fine(`deployment ${name}`, message);
    const fix =
      wanted === 0
        ? `kubectl scale deployment ${name} -n ${namespace} --replicas=2`
        : `kubectl describe pods -n ${namespace}`;
    return broken(`deployment ${name}`, message, fix);
  });
}

function numberIn(part: unknown, field: string): number | undefined {
  const value = (part as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === "number" ? value : undefined;
}
