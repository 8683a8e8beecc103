// The story's last part: how is a running workload taken over, and how is it handed back?
import { uidsIn } from "./beginning.js";
import type { Stage } from "./stage.js";
import { deployment, identityOf, isUnchanged, marksOf, ready, worksOf, type Identity } from "./workloads.js";

const POLICY = "kubectl patch propagationpolicy shop --type merge";
const BINDING = "/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings/shop-deployment";
const MEMBERS = ["member1", "member2"] as const;

interface Binding {
  readonly spec: { readonly preserveResourcesOnDeletion?: boolean };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly aggregatedStatus?: readonly { readonly clusterName: string; readonly appliedMessage?: string }[];
  };
}

/** The template is refused by member1 until the policy says Overwrite; then what runs there is adopted as it is. */
export async function existingWorkloadIsAdopted(stage: Stage, before: Identity): Promise<void> {
  stage.heading("The existing workload is in the way, and then adopted");
  await stage.run("kubectl apply -f examples/migration/template.yaml -f examples/migration/policy.yaml");
  await stage.until("member1 says that it is there already", async () => (await wordsOf(stage)).includes("Overwrite"));
  const words = `{.status.aggregatedStatus[?(@.clusterName=="member1")].appliedMessage}`;
  await stage.run(`kubectl get resourcebinding shop-deployment -o jsonpath='${words}'`);
  stage.see("Nobody's workload is taken over in silence: the words say whose it is and what to do.");
  stage.check("member1's workload carries no mark", (await marksOf(stage, "member1", "shop")).length === 0);

  await stage.run(`${POLICY} -p '{"spec":{"conflictResolution":"Overwrite"}}'`);
  await stage.until("shop is fully applied", () => has(stage, "FullyApplied"));
  await stage.until("member2 runs it, too", async () => (await ready(stage, "member2", "shop")) === 2);
  await stage.run(uidsIn("member1"));
  stage.see("Taken over as it runs: the same uids as before, no pod was restarted.");
  const after = await identityOf(stage, "member1", "shop");
  stage.check("uid and pods of member1 are unchanged", isUnchanged(before, after));
  stage.check("member1's workload is marked now", (await marksOf(stage, "member1", "shop")).length > 0);
}

/** With preserveResourcesOnDeletion the template goes, and what runs in the members stays, without a mark. */
export async function workloadIsHandedBack(stage: Stage, before: Identity): Promise<void> {
  stage.heading("The way back: everything is handed back unharmed");
  const second = await identityOf(stage, "member2", "shop");
  await stage.run(`${POLICY} -p '{"spec":{"preserveResourcesOnDeletion":true}}'`);
  await stage.until("the binding is protected", () => has(stage, "DeletionProtected"));
  await stage.run("kubectl get resourcebinding shop-deployment");
  await stage.run("kubectl delete deployment shop");
  await stage.until("template and Works are gone", async () => {
    const template = await deployment(stage, "host", "shop");
    return !template && (await worksOf(stage, "shop")).length === 0;
  });
  await stage.run(uidsIn("member1"));
  await stage.run("kubectl --context member2 get deployment shop");
  const byHand = "NAME:.metadata.name,HOTFIX:.metadata.annotations.hotfix,OWNER:.metadata.labels.owner";
  await stage.run(`kubectl --context member1 get deployment shop -o custom-columns=${byHand}`);
  for (const member of MEMBERS) {
    const all = `kubectl --context ${member} get deployment,replicaset,pod -l app=shop -o yaml --show-managed-fields`;
    await stage.run(`${all} | grep -ciE 'karmada|holdfast'`, "any");
  }
  stage.see(
    "Deleted on the host, running in both members: same uids, what was made by hand is there, 0 lines with a mark.",
  );
  await checkUnharmed(stage, { member1: before, member2: second });
}

async function checkUnharmed(stage: Stage, before: Readonly<Record<string, Identity>>): Promise<void> {
  for (const [member, identity] of Object.entries(before)) {
    const unchanged = isUnchanged(identity, await identityOf(stage, member, "shop"));
    stage.check(`uid and pods of ${member} are unchanged`, unchanged);
    const marks = await marksOf(stage, member, "shop");
    stage.check(`not one mark is left in ${member}${marks.length > 0 ? `: ${marks.join(", ")}` : ""}`, !marks.length);
    stage.check(`2 pods are Ready in ${member}`, (await ready(stage, member, "shop")) === 2);
  }
  const { labels, annotations } = (await deployment(stage, "member1", "shop"))?.metadata ?? {};
  stage.check("what was changed by hand is there", labels?.["owner"] === "alice" && "hotfix" in (annotations ?? {}));
}

/** Without it the copies go with their template. */
export async function othersGoWithTheirTemplate(stage: Stage): Promise<void> {
  stage.heading("The same without preserveResourcesOnDeletion");
  await stage.run("kubectl delete deployment busybox");
  for (const member of MEMBERS) {
    await stage.until(`busybox is gone from ${member}`, async () => !(await deployment(stage, member, "busybox")));
  }
  await stage.until("its Works are gone", async () => (await worksOf(stage, "busybox")).length === 0);
  for (const member of MEMBERS) await stage.run(`kubectl --context ${member} get deployments`);
  stage.see("busybox went with its template; shop, handed back before, is nobody's business any more.");
  for (const member of MEMBERS) {
    stage.check(`shop still runs in ${member}`, (await ready(stage, member, "shop")) === 2);
  }
}

async function wordsOf(stage: Stage): Promise<string> {
  const binding = await stage.read<Binding>("host", BINDING);
  return (binding?.status?.aggregatedStatus ?? []).map(({ appliedMessage }) => appliedMessage ?? "").join(" ");
}

async function has(stage: Stage, type: string): Promise<boolean> {
  const binding = await stage.read<Binding>("host", BINDING);
  return (binding?.status?.conditions ?? []).some(condition => condition.type === type && condition.status === "True");
}
