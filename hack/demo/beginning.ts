// The story's beginning: what runs already, and how do the clusters join?
import type { Stage } from "./stage.js";
import { identityOf, ready, type Identity } from "./workloads.js";

/** Somebody made a Deployment in member1 long ago, and changed it by hand since. Answers which one it is. */
export async function somethingRunsAlready(stage: Stage): Promise<Identity> {
  stage.heading("Something runs in member1 already");
  stage.say("Holdfast does not know member1 yet. A Deployment was made there by hand, and mended by hand.");
  await stage.run("kubectl --context member1 apply -f examples/migration/existing.yaml");
  await stage.run("kubectl --context member1 annotate deployment shop hotfix=restart-after-4711");
  await stage.run("kubectl --context member1 label deployment shop owner=alice");
  await stage.until("shop runs in member1 with 2 pods", async () => (await ready(stage, "member1", "shop")) === 2);
  await stage.run(uidsIn("member1"));
  stage.see("Remember these uids: the same object and the same pods must be there at the end.");
  return identityOf(stage, "member1", "shop");
}

/** The line that shows which very objects there are of shop. */
export function uidsIn(cluster: string): string {
  const columns = "KIND:.kind,NAME:.metadata.name,UID:.metadata.uid";
  return `kubectl --context ${cluster} get deployment,replicaset,pod -l app=shop -o custom-columns=${columns}`;
}

/** Both members join; nothing in them changes by that. */
export async function membersJoin(stage: Stage): Promise<void> {
  stage.heading("The members join");
  for (const name of ["member1", "member2"]) {
    await stage.run(`holdfast join ${name} --cluster-kubeconfig "$KUBECONFIG" --cluster-context ${name}`);
  }
  await stage.until("both clusters are Ready", async () => {
    const clusters = await Promise.all(["member1", "member2"].map(name => isClusterReady(stage, name)));
    return clusters.every(Boolean);
  });
  await stage.run("kubectl get clusters");
  stage.see("kubectl without --context speaks to the host. Joining changed no workload.");
}

interface Cluster {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function isClusterReady(stage: Stage, name: string): Promise<boolean> {
  const cluster = await stage.read<Cluster>("host", `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
  return (cluster?.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}
