// How does a case wait for what the operator makes of what a person did?
import { onTestFinished, vi } from "vitest";
import type { AnyBinding } from "../../../lib/kube/host.js";
import { CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS, WORKS } from "../../../lib/kube/kinds.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { bindingName, executionNamespace, workName } from "../../../lib/domain/names.js";
import { KubeConfig } from "@kubernetes/client-node";
import { KubeClient } from "../../../lib/kube/client.js";
import { connectionOf } from "../../../lib/kube/connection.js";
import { ResourceClient, type ApiResource, type ObjectName } from "../../../lib/kube/resource.js";
import type { Condition, KubeObject } from "../../../crds/object.js";
import { gvkOf } from "../../../crds/object.js";
import type { Work } from "../../../crds/work.js";
import { accessTo, type Side } from "./case-kubectl.js";

const CORE: Readonly<Record<string, string>> = {
  ConfigMap: "configmaps",
  Secret: "secrets",
  Service: "services",
  ServiceAccount: "serviceaccounts",
  Namespace: "namespaces",
  Deployment: "deployments",
  ClusterRole: "clusterroles",
  PropagationPolicy: "propagationpolicies",
  ClusterPropagationPolicy: "clusterpropagationpolicies",
  OverridePolicy: "overridepolicies",
  CascadeDeletionPolicy: "cascadedeletionpolicies",
  ClusterCascadeDeletionPolicy: "clustercascadedeletionpolicies",
  Cluster: "clusters",
  Event: "events",
  CustomResourceDefinition: "customresourcedefinitions",
};

function resourceOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): ApiResource {
  const namespaced = !/^(Namespace|ClusterRole|Cluster(Propagation|CascadeDeletion)Policy|Cluster)$/.test(kind);
  return { ...gvkOf({ apiVersion, kind }), plural: CORE[kind] ?? `${kind.toLowerCase()}s`, namespaced };
}

/** A client of one kind in one cluster, closed with the test. */
async function clientOf<T extends KubeObject>(side: Side, resource: ApiResource): Promise<ResourceClient<T>> {
  const config = new KubeConfig();
  config.loadFromFile(accessTo(side).kubeconfig);
  const client = new KubeClient(await connectionOf(config));
  onTestFinished(() => client.close());
  return new ResourceClient<T>(client, resource);
}

/** Which object is meant. */
export type Ref = Pick<KubeObject, "apiVersion" | "kind"> & { readonly metadata: ObjectName };

/** The object as it is now, or `undefined`. */
export async function find(side: Side, ref: Ref): Promise<KubeObject | undefined> {
  return (await clientOf(side, resourceOf(ref))).find(ref.metadata);
}

/** Waits until an object is as wanted, and returns it; what it is instead stands in the error. */
export async function until<T extends KubeObject>(
  read: () => Promise<T | undefined>,
  wanted: (object: T | undefined) => boolean,
  timeout = 20_000,
): Promise<T | undefined> {
  return vi.waitFor(
    async () => {
      const object = await read();
      if (!wanted(object)) throw new Error(`not yet as wanted: ${JSON.stringify(object)?.slice(0, 4_000)}`);
      return object;
    },
    { timeout, interval: 100 },
  );
}

/** Waits until an object is there and fits. */
export async function present(
  side: Side,
  ref: Ref,
  fits: (object: KubeObject) => boolean = () => true,
  timeout?: number,
): Promise<KubeObject> {
  const objects = await clientOf(side, resourceOf(ref));
  const found = await until(
    () => objects.find(ref.metadata),
    object => object !== undefined && fits(object),
    timeout,
  );
  if (!found) throw new Error("unreachable");
  return found;
}

/** Waits until an object is not there. */
export async function absent(side: Side, ref: Ref, timeout?: number): Promise<void> {
  const objects = await clientOf(side, resourceOf(ref));
  await until(
    () => objects.find(ref.metadata),
    object => object === undefined,
    timeout,
  );
}

/** Waits until the binding of a template is as wanted. */
export async function binding(template: Ref, wanted: (binding: AnyBinding) => boolean): Promise<AnyBinding> {
  const { namespace, name } = template.metadata;
  const resource = namespace ? RESOURCE_BINDINGS : CLUSTER_RESOURCE_BINDINGS;
  const bindings = await clientOf<AnyBinding>("host", resource);
  const target = { namespace, name: bindingName({ ...gvkOf(template), namespace, name }) };
  const found = await until(
    () => bindings.find(target),
    object => object !== undefined && wanted(object),
  );
  if (!found) throw new Error("unreachable");
  return found;
}

/** Waits until the Work of a template in a member is as wanted. */
export async function work(template: Ref, member: string, wanted: (work: Work) => boolean): Promise<Work> {
  const { namespace, name } = template.metadata;
  const works = await clientOf<Work>("host", WORKS);
  const target = {
    namespace: executionNamespace(member),
    name: workName({ ...gvkOf(template), namespace, name }),
  };
  const found = await until(
    () => works.find(target),
    object => object !== undefined && wanted(object),
  );
  if (!found) throw new Error("unreachable");
  return found;
}

/** Waits until a condition of an object is as wanted, and returns it. */
export async function condition(
  ref: Ref,
  type: string,
  wanted: (condition: Condition) => boolean,
  timeout?: number,
): Promise<Condition> {
  let found: Condition | undefined;
  await present(
    "host",
    ref,
    object => {
      found = conditionOf(object as Parameters<typeof conditionOf>[0], type);
      return found !== undefined && wanted(found);
    },
    timeout,
  );
  if (!found) throw new Error("unreachable");
  return found;
}

/** Waits for an Event on an object of the host, and returns its words. */
export async function eventOn(ref: Ref, reason: string, says: string | RegExp = ""): Promise<string> {
  const resource = { ...resourceOf({ apiVersion: "events.k8s.io/v1", kind: "Event" }), namespaced: true };
  const events = await clientOf("host", resource);
  let note = "";
  await vi.waitFor(
    async () => {
      const { items } = await events.list({}, ref.metadata.namespace ?? "default");
      const about = items.filter(item => item["reason"] === reason && isAbout(item, ref));
      const fitting = about.map(item => String(item["note"])).find(text => matches(text, says));
      if (fitting === undefined) throw new Error(`no such Event yet: ${JSON.stringify(about.map(e => e["note"]))}`);
      note = fitting;
    },
    { timeout: 15_000, interval: 200 },
  );
  return note;
}

function isAbout(event: KubeObject, { kind, metadata }: Ref): boolean {
  const regarding = event["regarding"] as { readonly kind?: string; readonly name?: string } | undefined;
  return regarding?.kind === kind && regarding.name === metadata.name;
}

function matches(text: string, says: string | RegExp): boolean {
  return typeof says === "string" ? text.includes(says) : says.test(text);
}
