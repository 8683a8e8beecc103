// Where on the host is Holdfast installed, and as which versions?
import { KINDS } from "../../crds/kinds.js";
import type { KubeObject } from "../../crds/object.js";
import { VERSION_ANNOTATION } from "../../lib/domain/version.js";
import { LEASES, WATCHER_LEASE, type Lease } from "../../lib/engine/lease-object.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { CUSTOM_RESOURCE_DEFINITIONS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { CLUSTER_ROLE_BINDINGS, DEPLOYMENTS } from "./kinds.js";
import { answerIn, tryRead, type Read } from "./read.js";

const NAME = "holdfast";
const DEFAULT_NAMESPACE = "holdfast-system";
/** Label that the chart gives its own objects. */
export const OPERATOR_SELECTOR = "app.kubernetes.io/name=holdfast";

/** What of Holdfast is on the host. */
export interface Installation {
  /** The operator's. */
  readonly namespace: string;
  readonly server: Read<string>;
  /** `undefined` in it: nobody has ever led. */
  readonly lease: Read<Lease | undefined>;
  /** Empty where the operator runs beside the cluster. */
  readonly deployments: Read<readonly KubeObject[]>;
  readonly crds: Read<readonly FoundCrd[]>;
}

/** One of our kinds, and the CRD that the host has of it. */
export interface FoundCrd {
  /** `works.work.karmada.io`. */
  readonly name: string;
  /** `undefined`: the host does not have it. */
  readonly found: KubeObject | undefined;
}

/** Looks; nothing that cannot be read is an error here. */
export async function readInstallation(client: KubeClient, namespace?: string): Promise<Installation> {
  const place = namespace ?? (await namespaceOfOperator(client));
  const [server, lease, deployments, crds] = await Promise.all([
    tryRead(client.request<{ gitVersion: string }>("GET", "/version").then(({ gitVersion }) => gitVersion)),
    tryRead(new ResourceClient<Lease>(client, LEASES).find({ namespace: place, name: WATCHER_LEASE })),
    tryRead(deploymentsIn(client, place)),
    tryRead(readCrds(client)),
  ]);
  return { namespace: place, server, lease, deployments, crds };
}

/** The account that ClusterRole `holdfast` is given to lives there, by whatever way the operator was installed. */
export async function namespaceOfOperator(client: KubeClient): Promise<string> {
  const found = await tryRead(new ResourceClient(client, CLUSTER_ROLE_BINDINGS).find({ name: NAME }));
  const subjects = answerIn(found)?.["subjects"] as readonly { readonly namespace?: string }[] | undefined;
  return subjects?.[0]?.namespace ?? DEFAULT_NAMESPACE;
}

async function deploymentsIn(client: KubeClient, namespace: string): Promise<readonly KubeObject[]> {
  const query = { labelSelector: OPERATOR_SELECTOR };
  return (await new ResourceClient(client, DEPLOYMENTS).list(query, namespace)).items;
}

function readCrds(client: KubeClient): Promise<readonly FoundCrd[]> {
  const definitions = new ResourceClient(client, CUSTOM_RESOURCE_DEFINITIONS);
  const names = KINDS.map(({ plural, group }) => `${plural}.${group}`);
  return Promise.all(names.map(async name => ({ name, found: await definitions.find({ name }) })));
}

/** The version that an object says it is of: our own annotation, or the label that the chart gives it. */
export function versionOn(object: KubeObject | undefined): string | undefined {
  const { annotations, labels } = object?.metadata ?? {};
  return annotations?.[VERSION_ANNOTATION] ?? labels?.["app.kubernetes.io/version"];
}
