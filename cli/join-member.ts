// Makes in a member what the host needs to act there, and takes it away again.
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../crds/object.js";
import { SYSTEM_LABEL } from "../lib/domain/marks.js";
import type { KubeClient } from "../lib/kube/client.js";
import { Discovery } from "../lib/kube/discovery.js";
import { NAMESPACES, SECRETS } from "../lib/kube/kinds.js";
import { contentsOf } from "../lib/kube/namespace-contents.js";
import { ResourceClient } from "../lib/kube/resource.js";
import {
  CONTROL_PLANES_ANNOTATION,
  memberObjects,
  planMemberFarewell,
  SERVICE_ACCOUNTS,
  usedBy,
  type Made,
  type Membership,
} from "./member-objects.js";
import { accountName, IMPERSONATOR } from "./names.js";
import type { Output } from "./output/output.js";
import { EXIT, Problem } from "./problem.js";

const MANAGER = "holdfast-join";
const TOKEN_TIMEOUT_MS = 30_000;
const TOKEN_POLL_MS = 150;

/** Base64, as Secrets hold them. */
export interface Tokens {
  readonly account: string;
  readonly impersonator: string;
}

/** Applies the objects of a join and waits for the tokens. Safe to repeat. @throws Problem, KubeError */
export async function joinMember(client: KubeClient, membership: Membership, controlPlane: string): Promise<Tokens> {
  for (const { resource, object } of memberObjects(membership)) {
    const api = new ResourceClient(client, resource);
    const live = await api.find(object.metadata);
    // A namespace that somebody else made is used as it is.
    if (resource === NAMESPACES && live && live.metadata.labels?.[SYSTEM_LABEL] !== "true") continue;
    await api.apply(usedBy(object, live, controlPlane), { manager: MANAGER, force: true });
  }
  const { namespace, cluster } = membership;
  const [impersonator, account] = await Promise.all([
    tokenOf(client, namespace, IMPERSONATOR),
    tokenOf(client, namespace, accountName(cluster)),
  ]);
  return { account, impersonator };
}

async function tokenOf(client: KubeClient, namespace: string, name: string): Promise<string> {
  const secrets = new ResourceClient<KubeObject & { readonly data?: Record<string, string> }>(client, SECRETS);
  const until = performance.now() + TOKEN_TIMEOUT_MS;
  for (;;) {
    const secret = await secrets.find({ namespace, name });
    const token = secret?.data?.["token"];
    if (token) return token;
    if (performance.now() > until) {
      throw new Problem(
        `the member put no token into Secret ${namespace}/${name} within ${TOKEN_TIMEOUT_MS / 1000} s`,
        "its controller manager fills it: see that it runs with the serviceaccount-token controller; then join again",
        EXIT.timeout,
      );
    }
    await sleep(TOKEN_POLL_MS);
  }
}

/**
 * Takes away what join made, for this control plane only; never anything else. Returns how many objects of this join were
 * there. @throws KubeError
 */
export async function leaveMember(
  client: KubeClient,
  membership: Membership,
  options: { readonly controlPlane: string; readonly output: Output },
): Promise<number> {
  const { controlPlane, output } = options;
  let found = 0;
  const others = await otherAccounts(client, membership);
  for (const item of [...memberObjects(membership)].reverse()) {
    if (item.resource === NAMESPACES) await leaveNamespace(client, membership.namespace, options);
    else await leaveObject(item);
  }
  return found;

  async function leaveObject({ resource, object }: Made): Promise<void> {
    const api = new ResourceClient(client, resource);
    const live = await api.find(object.metadata);
    if (!live) return;
    // The account that all joins share says nothing about this one.
    if (object.metadata.name !== IMPERSONATOR) found++;
    const what = `${resource.kind} ${object.metadata.name} in the member`;
    const plan = planMemberFarewell(live, controlPlane, others);
    switch (plan.action) {
      case "delete":
        await api.delete(live.metadata, { uid: live.metadata.uid });
        return output.note(`${what} deleted`);
      case "hand over": {
        const annotations = { [CONTROL_PLANES_ANNOTATION]: plan.planes };
        await api.mergePatch(live.metadata, { metadata: { uid: live.metadata.uid, annotations } });
        return output.note(`${what} kept: another control plane uses it`);
      }
      case "keep":
        return output.note(`${what} kept: ${plan.why}`);
    }
  }
}

async function otherAccounts(client: KubeClient, { namespace, cluster }: Membership): Promise<string[]> {
  const accounts = new ResourceClient(client, SERVICE_ACCOUNTS);
  const { items } = await accounts.list({ labelSelector: `${SYSTEM_LABEL}=true` }, namespace);
  const ours: readonly string[] = [IMPERSONATOR, accountName(cluster)];
  return items.map(({ metadata }) => metadata.name).filter(name => !ours.includes(name));
}

async function leaveNamespace(
  client: KubeClient,
  name: string,
  { controlPlane, output }: { readonly controlPlane: string; readonly output: Output },
): Promise<void> {
  const namespaces = new ResourceClient(client, NAMESPACES);
  const live = await namespaces.find({ name });
  if (!live || planMemberFarewell(live, controlPlane, []).action !== "delete") return;
  const { occupants, hidden } = await contentsOf(client, new Discovery(client), name);
  if (occupants.length > 0 || hidden) {
    return output.note(`namespace ${name} in the member kept: ${hidden ?? `${occupants.length} object(s) are in it`}`);
  }
  await namespaces.delete({ name }, { uid: live.metadata.uid });
  output.note(`namespace ${name} in the member deleted: it was empty`);
}
