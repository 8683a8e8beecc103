// Does nothing of a template start in a cluster with controllers and nodes, when no process of ours is there? (design 1)
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../hack/clusters/bundle.js";
import { NOBODY } from "../../lib/domain/held-kinds.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import { apply, applied, freshName, kubectl } from "./support/case-kubectl.js";
import { eventually } from "./support/eventually.js";
import { told } from "./support/round-trip.js";

/** An ordinary cluster: a member has everything that such a host has. */
const SIDE = "member1";
const AUTOSCALER = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";

const labels = { app: "web" };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: "web", image: "registry.example/web:1" }] };
const template = { metadata: { labels }, spec: podSpec };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

/** Everything that runs Pods, as people write it. */
function workloads(namespace: string): object[] {
  const metadata = (name: string) => ({ namespace, name });
  const apps = { apiVersion: "apps/v1", spec: { replicas: 2, selector, template } };
  const volumeClaimTemplates = [{ metadata: { name: "data" }, spec: claim }];
  return [
    { ...apps, kind: "Deployment", metadata: metadata("web") },
    { ...apps, kind: "ReplicaSet", metadata: metadata("set") },
    { ...apps, kind: "StatefulSet", metadata: metadata("db"), spec: { ...apps.spec, volumeClaimTemplates } },
    { apiVersion: "apps/v1", kind: "DaemonSet", metadata: metadata("agent"), spec: { selector, template } },
    {
      ...{ apiVersion: "batch/v1", kind: "Job", metadata: metadata("once") },
      spec: { template: { ...template, spec: { ...podSpec, restartPolicy: "Never" } } },
    },
  ];
}

/** What controllers have made there, as `kind/name` without the random part of a name. */
async function madeIn(namespace: string): Promise<string[]> {
  const kinds = "pods,replicasets,controllerrevisions,jobs,persistentvolumeclaims";
  const names = await told(SIDE, ["get", kinds, "-n", namespace, "-o", "name"]);
  return names.split("\n").filter(name => name && !/(replicaset.apps\/set|job.batch\/once)$/.test(name));
}

async function freshSpace(labelsOfSpace: object = {}): Promise<string> {
  const name = freshName("hold");
  await applied(SIDE, { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: labelsOfSpace } });
  return name;
}

const makes = (made: readonly string[], kind: string): boolean => made.some(name => name.startsWith(kind));

describe("the hold without the operator", () => {
  let templates = "";
  let ordinary = "";

  beforeAll(async () => {
    await told(SIDE, ["apply", "--server-side", "-f", join(ROOT, "charts/holdfast/files/hold.yaml")]);
    templates = await freshSpace({ [TEMPLATES_LABEL]: "true" });
    ordinary = await freshSpace();
    await eventually("the API server knows the policy", async () => (await createOwned(templates)).code !== 0);
    return async () => {
      await kubectl(SIDE, ["delete", "namespace", templates, ordinary, "--wait=false"]);
    };
  });

  /** A Job of a CronJob, in a dry run. */
  function createOwned(namespace: string) {
    const owner = { apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid: "u", controller: true };
    const [, , , , job] = workloads(namespace) as [unknown, unknown, unknown, unknown, { readonly metadata: object }];
    const owned = { ...job, metadata: { ...job.metadata, name: "nightly-1", ownerReferences: [owner] } };
    return kubectl(SIDE, ["create", "--dry-run=server", "-f", "-"], JSON.stringify(owned));
  }

  it("lets every kind of workload be there, and none of them start; elsewhere all start", async () => {
    await applied(SIDE, ...workloads(templates));
    await applied(SIDE, ...workloads(ordinary));
    const kinds = ["pod/web", "pod/set", "pod/db", "pod/agent", "pod/once", "persistentvolumeclaim/data-db"];
    await eventually("everything runs elsewhere", async () => {
      const made = await madeIn(ordinary);
      return kinds.every(kind => makes(made, kind));
    });
    expect(await madeIn(templates)).toEqual([]);
  });

  it("says why", async () => {
    const said = await createOwned(templates);
    expect(said.text).toContain(
      `namespace ${templates} holds templates (label ${TEMPLATES_LABEL}): what CronJob nightly would start runs in members, not here`,
    );
    expect((await createOwned(ordinary)).code).toBe(0);
  });

  it.each([
    ["Pod", podSpec, "Pod web", "pods"],
    ["Service", { type: "LoadBalancer", ports: [{ port: 80 }] }, "the load balancer of Service web", "services"],
    ["PersistentVolumeClaim", claim, "PersistentVolumeClaim web", "claims"],
  ])("refuses a %s, which only the operator can hold, and says what to do", async (kind, spec, name, policy) => {
    const object = (namespace: string) => ({ apiVersion: "v1", kind, metadata: { namespace, name: "web" }, spec });
    const create = (namespace: string) =>
      kubectl(SIDE, ["create", "--dry-run=server", "-f", "-"], JSON.stringify(object(namespace)));
    const { text } = await create(templates);
    expect(text).toContain(
      `Holdfast did not answer to hold back ${name}, so it would start here. If Holdfast is down, try again when it is up.`,
    );
    const remove = `kubectl delete validatingadmissionpolicy holdfast-hold-${policy}`;
    expect(text).toContain(`If it was uninstalled: holdfast templates release ${templates} --run, or ${remove}`);
    expect((await create(ordinary)).code).toBe(0);
  });

  it("lets through what is held by its own field, and keeps it so", async () => {
    const metadata = { namespace: templates, name: "held" };
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { ...podSpec, schedulingGates: [{ name: NOBODY }] } };
    await applied(SIDE, pod);
    const freed = { spec: { schedulingGates: null } };
    const patch = ["-n", templates, "patch", "pod", "held", "--type=merge", "-p", JSON.stringify(freed)];
    expect((await kubectl(SIDE, patch)).text).toContain("Holdfast did not answer to hold back Pod held");
    const inside = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } };
    expect((await applied(SIDE, inside)).code).toBe(0);
    const outside = { ...inside, spec: { ...inside.spec, type: "LoadBalancer" } };
    expect((await apply(SIDE, outside)).text).toContain("Holdfast did not answer to hold back the load balancer");
    expect((await apply(SIDE, { ...outside, spec: { ...outside.spec, loadBalancerClass: NOBODY } })).code).toBe(0);
  });

  it("is ended by what the sentence says, where nobody will answer any more", async () => {
    const metadata = { namespace: templates, name: "freed" };
    const create = () =>
      kubectl(SIDE, ["create", "--dry-run=server", "-f", "-"], JSON.stringify({ ...freed, metadata }));
    const freed = { apiVersion: "v1", kind: "PersistentVolumeClaim", spec: claim };
    const [, remove = ""] = /or kubectl (delete \S+ \S+)$/m.exec((await create()).text.trim()) ?? [];
    await told(SIDE, remove.split(" "));
    await eventually("it is taken", async () => (await create()).code === 0);
    await told(SIDE, ["apply", "--server-side", "-f", join(ROOT, "charts/holdfast/files/hold.yaml")]);
    await eventually("it is refused again", async () => (await create()).code !== 0);
  });

  it.each([
    ["shop", "True"],
    ["shop", "yes"],
    ["kube-system", "true"],
    ["kube-mine", "true"],
    ["karmada-cluster", "true"],
  ])("takes no namespace %s with the label %s", async (name, value) => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { [TEMPLATES_LABEL]: value } } };
    const said = await kubectl(SIDE, ["apply", "--dry-run=server", "-f", "-"], JSON.stringify(namespace));
    expect(said.text).toContain(`of namespace ${name} may be true or false, and true only where nothing of a cluster`);
  });

  it("lets nobody slip out of the hold by a controller", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: templates, name: "owner" } };
    await applied(SIDE, map);
    const uid = await told(SIDE, ["-n", templates, "get", "cm", "owner", "-o", "jsonpath={.metadata.uid}"]);
    const metadata = { namespace: templates, name: "slippery" };
    const gates = { schedulingGates: [{ name: NOBODY }] };
    await applied(SIDE, { apiVersion: "v1", kind: "Pod", metadata, spec: { ...podSpec, ...gates } });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true };
    const slip = { metadata: { ownerReferences: [owner] }, spec: { schedulingGates: null } };
    const patch = ["-n", templates, "patch", "pod", "slippery", "--type=merge", "-p", JSON.stringify(slip)];
    expect((await kubectl(SIDE, patch)).text).toContain("Holdfast did not answer to hold back Pod slippery");
  });

  it("lets a person scale a template, and no autoscaler", async () => {
    const scale = (...who: string[]) =>
      kubectl(SIDE, ["-n", templates, "scale", "deployment/web", "--replicas=3", ...who]);
    const refused = await scale("--as", AUTOSCALER, "--as-group", "system:masters");
    expect(refused.text).toContain("an autoscaler here knows nothing of the load in members");
    expect((await scale()).text).toContain("scaled");
  });
});
