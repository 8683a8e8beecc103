// Looks at one cluster from time to time, and tells everyone when it comes or goes.
import type { Cluster } from "../../crds/cluster.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { isReady, judge, nextLookMs, type Rhythm } from "./health.js";
import { identityProblem } from "./identity.js";
import { secretName } from "../../lib/kube/cluster-link.js";
import { probe } from "./probe.js";
import type { Session, Sessions } from "./session.js";
import { notReady, PULL, READY, type Verdict } from "./verdict.js";

/** What looking needs. */
export interface LookOptions {
  readonly deps: Dependencies;
  readonly sessions: Sessions;
  readonly rhythm: Rhythm;
  /** Called when the verdict about a cluster is another one. */
  readonly onChange: (name: string) => void;
}

/** The key is the name of the Cluster; looks again by itself until the Cluster is gone. */
export function lookReconciler({ deps, sessions, rhythm, onChange }: LookOptions): Reconciler {
  return async function lookAt(name): Promise<Result> {
    const cluster = deps.host.clusters.get(name);
    const session = sessions.get(name);
    if (!cluster || !session) return {};

    const seen = await verdictFor(cluster, session);
    // Meanwhile the Cluster may have gone, or got another address: what was seen is about the old one.
    if (sessions.get(name) !== session) return abandon(name, session);

    const before = session.health;
    session.health = judge(before, seen);
    const ready = isReady(session.health);
    deps.members.get(name)?.setReady(ready);
    deps.metrics.clusterReady.set({ member_cluster: name }, ready ? 1 : 0);
    if (session.health.verdict !== before.verdict) onChange(name);
    return cluster.spec.syncMode === "Pull" ? {} : { requeueAfterMs: nextLookMs(session.health, rhythm) };
  };

  /** What was connected after its session had ended, nobody else would close. */
  async function abandon(name: string, session: Session): Promise<Result> {
    await session.close();
    if (!sessions.get(name)) await deps.members.disconnect(name);
    return {};
  }

  async function verdictFor(cluster: Cluster, session: Session): Promise<Verdict> {
    if (cluster.spec.syncMode === "Pull") {
      await deps.members.disconnect(cluster.metadata.name);
      return PULL;
    }
    const connected = await session.connect(cluster);
    if (!("member" in connected)) return connected;

    const seen = await probe(connected.client, secretName(cluster));
    if (!("uid" in seen)) {
      if (seen.reason === "CredentialsRefused") await session.credentials.reread();
      return seen;
    }
    session.identity = seen.uid;
    const hostUid = deps.host.namespaces.get("kube-system")?.metadata.uid;
    const stranger = identityProblem(cluster, seen.uid, deps.host.clusters.store.values(), hostUid);
    return stranger ?? knowKinds(connected.member);
  }
}

/** Whoever is told that a member is ready must be able to ask what it serves. */
async function knowKinds(member: Member): Promise<Verdict> {
  if (member.ready) return READY;
  try {
    await member.discovery.refresh();
    return READY;
  } catch (error) {
    return notReady("StatusCollectionFailed", `the cluster does not say which APIs it serves: ${messageOf(error)}`);
  }
}
