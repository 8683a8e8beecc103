// What do tests of rollback put into a shop?
import { inject, onTestFinished } from "vitest";
import { readEnv } from "../../../hack/clusters/index.js";
import { objectPath } from "../../../lib/kube/resource.js";
import { configMapYaml, untilApplied, type CliShop } from "./cli.js";
import { Site, type Target } from "./site.js";

/** YAML of a Deployment with two replicas. */
export function webYaml({ namespace }: CliShop, version: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "registry.example/web:${version}"}]}
`;
}

/** YAML of a policy that takes over all objects of one kind. */
export function policyFor({ namespace }: CliShop, name: string, kind: string, clusters: readonly string[]): string {
  const apiVersion = kind === "Deployment" ? "apps/v1" : "v1";
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  resourceSelectors: [{apiVersion: ${apiVersion}, kind: ${kind}}]
  conflictResolution: Overwrite
  placement: {clusterAffinity: {clusterNames: [${clusters.join(", ")}]}}
`;
}

/** The namespace of the shop in member2, before the operator would make it. */
export async function namespaceInMember2({ namespace }: CliShop): Promise<Site> {
  const site = Site.of(readEnv(inject("clusters")), "member2");
  onTestFinished(() => site.close());
  await site.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`);
  return site;
}

/** ConfigMaps that were in both members before one policy took them over. */
export async function placed(shop: CliShop, ...names: readonly string[]): Promise<void> {
  const { host, member1, first, second } = shop;
  const member2 = await namespaceInMember2(shop);
  for (const name of names) {
    for (const site of [member1, member2]) await site.apply(configMapYaml(shop, name));
  }
  await host.apply(policyFor(shop, "all", "ConfigMap", [first.name, second.name]));
  for (const name of names) await host.apply(configMapYaml(shop, name));
  for (const name of names) await untilApplied(shop, name, first.name, second.name);
}

/** What a person changes in a cluster with `kubectl edit`. */
export async function editAs(site: Site, target: Target, body: unknown, manager = "kubectl-edit"): Promise<void> {
  await site.client.request("PATCH", objectPath(site.of(target.kind).resource, target), {
    body,
    patch: "merge",
    query: { fieldManager: manager },
  });
}
