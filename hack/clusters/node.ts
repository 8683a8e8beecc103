// Which node does a member have, and when can pods run on it?
import { ask, type Administrator } from "./api.js";
import { until } from "./ready.js";

/** The name of a cluster's only node. */
export function nodeName(cluster: string): string {
  return `${cluster}-node`;
}

/** A node that kwok plays. Large enough that no test is about its size unless it wants to be. */
export function nodeObject(cluster: string): Readonly<Record<string, unknown>> {
  const name = nodeName(cluster);
  const amounts = { cpu: "64", memory: "256Gi", pods: "1000" };
  const labels = {
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/role": "agent",
    type: "kwok",
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels, annotations: { "node.alpha.kubernetes.io/ttl": "0" } },
    status: {
      allocatable: amounts,
      capacity: amounts,
      nodeInfo: { kubeletVersion: "v1.34.4", operatingSystem: "linux" },
    },
  };
}

/** Makes the node and returns when it is Ready. @throws Error with the API server's words when it refuses. */
export async function addNode(admin: Administrator, cluster: string): Promise<void> {
  const { status, body } = await ask(admin, "POST", "/api/v1/nodes", nodeObject(cluster));
  if (status !== 201 && status !== 409) throw new Error(`${cluster}: no node (${status}): ${JSON.stringify(body)}`);
  await until(`the node of ${cluster} is Ready`, async () => {
    const node = await ask(admin, "GET", `/api/v1/nodes/${nodeName(cluster)}`);
    return isReady(node.body);
  });
}

/** Returns when pods can be made in namespace `default`, which takes its ServiceAccount and the cluster's CA. */
export async function untilPodsAreAdmitted(admin: Administrator, cluster: string): Promise<void> {
  const paths = ["serviceaccounts/default", "configmaps/kube-root-ca.crt"];
  await until(`the default ServiceAccount of ${cluster} is there`, async () => {
    const answers = await Promise.all(paths.map(path => ask(admin, "GET", `/api/v1/namespaces/default/${path}`)));
    return answers.every(({ status }) => status === 200);
  });
}

/** Whether an object, as JSON from the wire, says `Ready=True` in its status conditions. */
export function isReady(object: unknown): boolean {
  const conditions = field(field(object, "status"), "conditions");
  if (!Array.isArray(conditions)) return false;
  return conditions.some(condition => field(condition, "type") === "Ready" && field(condition, "status") === "True");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
