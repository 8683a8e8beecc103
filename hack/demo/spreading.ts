// The story's third part: how does a workload come to two clusters, and how does it stay as it should be?
import type { Stage } from "./stage.js";
import { deployment, ready } from "./workloads.js";

/** The overview article's example: one replica in member1, two in member2, three in all. */
export async function busyboxSpreads(stage: Stage): Promise<void> {
  stage.heading("One Deployment, two clusters, one difference");
  await stage.run("kubectl apply -f examples/busybox/");
  await stage.until("member1 has 1 replica Ready", async () => (await ready(stage, "member1", "busybox")) === 1);
  await stage.until("member2 has 2 replicas Ready", async () => (await ready(stage, "member2", "busybox")) === 2);
  await stage.until("the host sums up 3", async () => (await ready(stage, "host", "busybox")) === 3);
  await stage.run("kubectl --context member1 get deployment,pod -l app=busybox");
  await stage.run("kubectl --context member2 get deployment,pod -l app=busybox");
  await stage.run("kubectl get deployment busybox");
  await stage.run("kubectl get resourcebinding busybox-deployment");
  stage.see(
    "1 in member1 and 2 in member2, by the override. The host, where nothing runs, sums up: 3 Ready of a template with 1.",
  );
}

/** Somebody changes by hand what the template says; it is put back. */
export async function driftIsPutBack(stage: Stage): Promise<void> {
  stage.heading("What drifts is put back");
  const before = await deployment(stage, "member2", "busybox");
  const generation = before?.metadata.generation ?? 0;
  await stage.run("kubectl --context member2 scale deployment busybox --replicas=5");
  await stage.until("member2 wants 2 replicas again, after it had wanted 5", async () => {
    const now = await deployment(stage, "member2", "busybox");
    // Every change of the spec is a generation: one for the person, one for Holdfast.
    return now?.spec.replicas === 2 && (now.metadata.generation ?? 0) >= generation + 2;
  });
  const columns = "NAME:.metadata.name,REPLICAS:.spec.replicas,GENERATION:.metadata.generation";
  await stage.run(`kubectl --context member2 get deployment busybox -o custom-columns=${columns}`);
  await stage.until("2 pods are Ready", async () => (await ready(stage, "member2", "busybox")) === 2);
  stage.see(`Two generations further (it was ${generation}): 5 for a moment, then 2 again.`);
}
