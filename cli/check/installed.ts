// Does everything work on a host that has Holdfast?
import type { KubeObject } from "../../crds/object.js";
import { HOST_KIND_CONFIG_MAP } from "../../lib/engine/host-kind.js";
import type { KubeClient } from "../../lib/kube/client.js";
import {
  CLUSTER_PROPAGATION_POLICIES,
  CONFIG_MAPS,
  NAMESPACES,
  PROPAGATION_POLICIES,
  WORKS,
} from "../../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import {
  ADMISSION_POLICIES,
  ADMISSION_POLICY_BINDINGS,
  MUTATING_WEBHOOKS,
  VALIDATING_WEBHOOKS,
} from "../operator/kinds.js";
import { answerIn, tryRead, whyNot, type Read } from "../operator/read.js";
import type { Versions } from "../version/read.js";
import { certificateFinding } from "./certificate.js";
import { unseen, type Finding } from "./finding.js";
import { holdFinding, templateNamespaces } from "./hold.js";
import { memberFindings, policyFindings, workFindings } from "./objects.js";
import { admissionFinding, deploymentFindings, leaderFinding, webhooksFinding } from "./operator.js";
import { versionFindings } from "./versions.js";

const NAME = { name: "holdfast" };

/** Everything, in the order in which it would be mended. */
export async function installedFindings(client: KubeClient, versions: Versions, withinMs: number): Promise<Finding[]> {
  const { installation, clusters, report } = versions;
  const [operator, hold, objects] = await Promise.all([
    operatorFindings(client, versions, withinMs),
    holdFindings(client, installation.namespace),
    objectFindings(client),
  ]);
  const members = told("members", clusters, memberFindings);
  return [...versionFindings(report), ...operator, ...hold, ...members, ...objects];
}

async function operatorFindings(client: KubeClient, { installation }: Versions, withinMs: number): Promise<Finding[]> {
  const { namespace, deployments } = installation;
  const [leader, admission, mutating, validating] = await Promise.all([
    leaderFinding(client, namespace),
    admissionFinding(client, namespace, withinMs),
    tryRead(new ResourceClient(client, MUTATING_WEBHOOKS).find(NAME)),
    tryRead(new ResourceClient(client, VALIDATING_WEBHOOKS).find(NAME)),
  ]);
  const all = answerIn(deployments) ?? [];
  const unread = whyNot(mutating) ?? whyNot(validating);
  const found = { mutating: answerIn(mutating), validating: answerIn(validating) };
  return [
    leader,
    ...("why" in deployments ? [unseen("deployments", deployments.why)] : deploymentFindings(all)),
    unread === undefined ? webhooksFinding(found) : unseen("webhooks", unread),
    admission,
    await certificateFinding(client, { webhooks: found.validating, deployment: all.find(isAdmission) }),
  ];
}

function isAdmission({ metadata }: KubeObject): boolean {
  return metadata.name === "holdfast-admission";
}

async function holdFindings(client: KubeClient, namespace: string): Promise<Finding[]> {
  const [policies, bindings, namespaces, kind] = await Promise.all([
    listed(client, ADMISSION_POLICIES),
    listed(client, ADMISSION_POLICY_BINDINGS),
    listed(client, NAMESPACES),
    tryRead(new ResourceClient(client, CONFIG_MAPS).find({ namespace, name: HOST_KIND_CONFIG_MAP })),
  ]);
  const [had, bound] = [answerIn(policies), answerIn(bindings)];
  const recorded = answerIn(kind)?.["data"] as Readonly<Record<string, string>> | undefined;
  return [
    had && bound
      ? holdFinding(namesOf(had), namesOf(bound))
      : unseen("hold", whyNot(policies) ?? whyNot(bindings) ?? ""),
    ...told("template namespaces", namespaces, all => [templateNamespaces(recorded?.["kind"], all)]),
  ];
}

function namesOf(objects: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => metadata.name));
}

async function objectFindings(client: KubeClient): Promise<Finding[]> {
  const [own, wide, works] = await Promise.all([
    listed(client, PROPAGATION_POLICIES),
    listed(client, CLUSTER_PROPAGATION_POLICIES),
    listed(client, WORKS),
  ]);
  const [first, second] = [answerIn(own), answerIn(wide)];
  const policies: Read<readonly KubeObject[]> =
    first && second ? { got: [...first, ...second] } : { why: whyNot(own) ?? whyNot(wide) ?? "" };
  return [...told("policies", policies, policyFindings), ...told("works", works, all => workFindings(all, Date.now()))];
}

function listed(client: KubeClient, resource: ApiResource): Promise<Read<readonly KubeObject[]>> {
  return tryRead(new ResourceClient(client, resource).list().then(({ items }) => items));
}

function told<T>(check: string, read: Read<T>, judge: (got: T) => Finding[]): Finding[] {
  return "why" in read ? [unseen(check, read.why)] : judge(read.got);
}
