// How do the ownership tests act on a cluster, as people and as Holdfast?
import { execFileSync } from "node:child_process";
import { KubeConfig } from "@kubernetes/client-node";
import type { KubeObject } from "../../crds/object.js";
import { readEnv } from "../../hack/clusters/index.js";
import type { PatchOperation } from "../../lib/domain/json-patch.js";
import { FIELD_MANAGER, MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { KubeClient } from "../../lib/kube/client.js";
import { connectionOf } from "../../lib/kube/connection.js";

/** Where the tests keep their objects: new in every run, since a bare API server never finishes deleting one. */
export const NAMESPACE = `ownership-${Date.now()}`;

/** One cluster. `kubectl` is what people do; the other writes are what Holdfast does, with its field manager. */
export interface ClusterUnderTest {
  kubectl(args: readonly string[], input?: unknown): string;
  read(kind: string, name: string): KubeObject;
  patch(live: KubeObject, operations: readonly PatchOperation[]): Promise<void>;
  /** A forced server-side apply with our two labels. */
  applyAsHoldfast(manifest: KubeObject): Promise<void>;
  close(): Promise<void>;
}

/** Opens the host and one member of a clusters directory, each with an empty namespace {@link NAMESPACE}. */
export async function openClusters(
  directory: string,
): Promise<{ readonly host: ClusterUnderTest; readonly member: ClusterUnderTest; close(): Promise<void> }> {
  const { kubectl, host, members } = readEnv(directory);
  const { member1 } = members;
  if (!member1) throw new Error(`${directory} has no cluster member1`);
  const clusters = {
    host: await openCluster(kubectl, host.kubeconfig),
    member: await openCluster(kubectl, member1.kubeconfig),
  };
  return { ...clusters, close: async () => void (await Promise.all([clusters.host.close(), clusters.member.close()])) };
}

async function openCluster(command: string, kubeconfig: string): Promise<ClusterUnderTest> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const client = new KubeClient(await connectionOf(config));

  function kubectl(args: readonly string[], input?: unknown): string {
    return execFileSync(command, ["--kubeconfig", kubeconfig, "-n", NAMESPACE, ...args], {
      input: input === undefined ? "" : JSON.stringify(input),
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    });
  }

  kubectl(["apply", "-f", "-"], { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  return {
    kubectl,
    read: (kind, name) => JSON.parse(kubectl(["get", kind, name, "-o", "json", "--show-managed-fields"])) as KubeObject,
    async patch(live, operations) {
      const query = { fieldManager: FIELD_MANAGER };
      await client.request("PATCH", pathOf(live), { patch: "json", query, body: operations });
    },
    // Not kubectl: it would bring the annotation with the last applied configuration up to date on the way.
    async applyAsHoldfast(manifest) {
      const labels = { ...manifest.metadata.labels, [MANAGED_LABEL]: "true", [WORK_ID_LABEL]: "3e0f1a52-work" };
      const body = { ...manifest, metadata: { ...manifest.metadata, labels } };
      const query = { fieldManager: FIELD_MANAGER, force: true };
      await client.request("PATCH", pathOf(manifest), { patch: "apply", query, body });
    },
    async close() {
      kubectl(["delete", "namespace", NAMESPACE, "--wait=false"]);
      await client.close();
    },
  };
}

function pathOf({ apiVersion, kind, metadata }: KubeObject): string {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}/namespaces/${NAMESPACE}/${kind.toLowerCase()}s/${metadata.name}`;
}
