// How do the engine's tests reach the shared clusters, through a bad network or around it?
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { inject, onTestFinished } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { readEnv, type ClusterAccess } from "../../../hack/clusters/index.js";
import { KubeClient, type ClientOptions } from "../../../lib/kube/client.js";
import { connectionOf, type Connection } from "../../../lib/kube/connection.js";
import { Reflector, type ReflectorOptions } from "../../../lib/kube/reflector.js";
import { ResourceClient, type ApiResource } from "../../../lib/kube/resource.js";
import { Store } from "../../../lib/kube/store.js";
import { TcpProxy } from "./proxy.js";

/** ConfigMaps need no controller and no schema. */
export const CONFIG_MAPS: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
};

const NAMESPACES: ApiResource = { ...CONFIG_MAPS, kind: "Namespace", plural: "namespaces", namespaced: false };

/** One of the shared clusters: `host`, `member1`. */
export function accessTo(cluster: string): ClusterAccess {
  const env = readEnv(inject("clusters"));
  const access = cluster === "host" ? env.host : env.members[cluster];
  if (!access) throw new Error(`${join(env.dir, "env.json")}: no cluster ${cluster}`);
  return access;
}

/** The administrator's way into a cluster, to another address where one is given. */
export async function administrator(cluster: string, server?: string): Promise<Connection> {
  const config = new KubeConfig();
  config.loadFromFile(accessTo(cluster).kubeconfig);
  const connection = await connectionOf(config);
  return server ? { ...connection, server } : connection;
}

/** A client that is closed when the test ends. */
export async function clientFor(cluster: string, options?: ClientOptions, proxy?: TcpProxy): Promise<KubeClient> {
  const client = new KubeClient(await administrator(cluster, proxy?.url), options);
  onTestFinished(() => client.close());
  return client;
}

/** A proxy before a cluster's API server, closed when the test ends. */
export async function proxyTo(cluster: string): Promise<TcpProxy> {
  const proxy = await TcpProxy.before(accessTo(cluster).server);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A new namespace with its ConfigMaps, removed when the test ends. */
export async function namespaceIn(cluster: string): Promise<{ name: string; configMaps: ResourceClient }> {
  const client = new KubeClient(await administrator(cluster));
  const namespaces = new ResourceClient(client, NAMESPACES);
  const name = `engine-${randomUUID().slice(0, 8)}`;
  await namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  onTestFinished(async () => {
    await namespaces.delete({ name });
    await client.close();
  });
  return { name, configMaps: new ResourceClient(client, CONFIG_MAPS) };
}

/** A ConfigMap with one value in it. */
export function configMap(namespace: string, name: string, value = ""): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: { value } };
}

/** A started reflector of a namespace's ConfigMaps, stopped when the test ends. */
export function reflectorOf(client: KubeClient, namespace: string, options: ReflectorOptions = {}) {
  const store = new Store();
  const reflector = new Reflector(new ResourceClient(client, CONFIG_MAPS), store, { namespace, ...options });
  onTestFinished(() => reflector.stop());
  reflector.start();
  return { store, reflector };
}
