// How does a test read and write one cluster, as its administrator?
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../../crds/object.js";
import type { Env } from "../../../hack/clusters/state.js";
import { KubeClient, type Query } from "../../../lib/kube/client.js";
import type { Connection } from "../../../lib/kube/connection.js";
import { isConflict } from "../../../lib/kube/errors.js";
import * as kinds from "../../../lib/kube/kinds.js";
import { objectPath, ResourceClient, type ApiResource } from "../../../lib/kube/resource.js";

const kind = (name: string, plural: string, groupVersion: string, namespaced = true): ApiResource => {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return { group, version, kind: name, plural, namespaced };
};

const ADMISSION = "admissionregistration.k8s.io/v1";

/** What the cases are about. */
const RESOURCES: readonly ApiResource[] = [
  ...Object.values(kinds),
  kind("Deployment", "deployments", "apps/v1"),
  kind("ClusterRole", "clusterroles", "rbac.authorization.k8s.io/v1", false),
  kind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", ADMISSION, false),
  kind("ValidatingAdmissionPolicy", "validatingadmissionpolicies", ADMISSION, false),
  kind("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", ADMISSION, false),
  kind("ReplicaSet", "replicasets", "apps/v1"),
  kind("Lease", "leases", "coordination.k8s.io/v1"),
  kind("Event", "events", "events.k8s.io/v1"),
];

/** Which object: kind first, as people say it. */
export interface Target {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What a delete may say beside its target; `propagation` is kubectl's --cascade. */
export interface DeleteOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan";
}

/** One cluster. Close it when done. */
export class Site {
  readonly #learned: ApiResource[] = [];

  private constructor(
    readonly name: string,
    readonly client: KubeClient,
  ) {}

  /** `host`, `member1`, … of running clusters. */
  static of(env: Env, name: string): Site {
    const access = name === "host" ? env.host : env.members[name];
    if (!access) throw new Error(`${env.dir}: no cluster ${name}`);
    return new Site(name, new KubeClient(administrator(access.kubeconfig), { timeoutMs: 30_000 }));
  }

  /** A kind that only one test knows. */
  learn(resource: ApiResource): void {
    this.#learned.push(resource);
  }

  /** The verbs of one kind. @throws when the cases know no such kind. */
  of(name: string): ResourceClient {
    const resource = [...this.#learned, ...RESOURCES].find(r => r.kind === name);
    if (!resource) throw new Error(`the cases know no kind ${name}; add it to test/integration/support/site.ts`);
    return new ResourceClient(this.client, resource);
  }

  find(target: Target): Promise<KubeObject | undefined> {
    return this.of(target.kind).find(target);
  }

  async list(kindName: string, namespace?: string, query: Query = {}): Promise<KubeObject[]> {
    return (await this.of(kindName).list(query, namespace)).items;
  }

  /** Applies YAML as `kubectl apply --server-side` does; all documents at once. Returns them as the server has them. */
  apply(yaml: string): Promise<KubeObject[]> {
    return Promise.all(objectsIn(yaml).map(object => this.applyObject(object)));
  }

  async applyObject(object: KubeObject): Promise<KubeObject> {
    return (await this.of(object.kind).apply(object, { manager: "kubectl", force: true })).object;
  }

  /** A merge patch, tried again where another write came first. */
  async patch(target: Target, body: unknown): Promise<KubeObject> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.of(target.kind).mergePatch(target, body);
      } catch (error) {
        if (!isConflict(error) || attempt > 5) throw error;
      }
    }
  }

  /** Asks for the deletion and does not wait for its end. */
  async delete(target: Target, { propagation = "Background" }: DeleteOptions = {}): Promise<void> {
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: propagation };
    await this.client.request("DELETE", objectPath(this.of(target.kind).resource, target), { body });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The clusters' kubeconfigs hold one identity each; client-node would take longer to load than a test to run. */
function administrator(file: string): Connection {
  const { clusters, users } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
    readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
  };
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const decoded = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64");
  return {
    server: cluster["server"] ?? "",
    ca: decoded(cluster["certificate-authority-data"]),
    cert: decoded(user["client-certificate-data"]),
    key: decoded(user["client-key-data"]),
  };
}

/** The objects of a YAML text with any number of documents. */
export function objectsIn(yaml: string): KubeObject[] {
  return parseAllDocuments(yaml).flatMap(document => (document.toJS() as KubeObject | null) ?? []);
}
