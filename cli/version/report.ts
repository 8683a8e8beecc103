// Do the versions of this program, the operator, its CRDs and Kubernetes go together?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { isOlder, minorsApart } from "../../lib/domain/version.js";
import { versionOn, type FoundCrd, type Installation } from "../operator/installation.js";
import { answerIn, whyNot, type Read } from "../operator/read.js";

/** Webhook match conditions and admission policies are stable from here on; the chart demands the same. */
export const OLDEST_HOST = "1.30.0";

/** The operator, as it says itself. */
export interface OperatorVersion {
  readonly namespace: string;
  /** Of the watcher that leads; `undefined`: nobody knows. */
  readonly version?: string;
  /** Who leads. */
  readonly leader?: string;
  /** Why the version is not known. */
  readonly why?: string;
  readonly deployments: readonly { readonly name: string; readonly version?: string; readonly image?: string }[];
}

/** The CRDs as one bundle. */
export interface CrdVersions {
  /** Of the oldest one. */
  readonly version?: string;
  readonly missing: readonly string[];
  /** Those that say no version: another product's, or of a release that did not mark them. */
  readonly unmarked: readonly string[];
  readonly why?: string;
}

/** What `version -o json` writes; versions without a `v`, Kubernetes' own as it says them. */
export interface VersionReport {
  readonly client: { readonly version: string };
  readonly operator: OperatorVersion;
  readonly crds: CrdVersions;
  readonly host: { readonly version?: string; readonly why?: string };
  readonly members: readonly { readonly name: string; readonly version?: string }[];
  readonly warnings: readonly Skew[];
}

/** Two parts that do not go together. */
export interface Skew {
  readonly about: "client" | "operator" | "crds" | "host";
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}

/** Everything in one. */
export function versionReport(
  client: string,
  installation: Installation,
  clusters: Read<readonly Cluster[]>,
): VersionReport {
  const { server } = installation;
  const facts = {
    client: { version: client },
    operator: operatorIn(installation),
    crds: crdVersions(installation.crds),
    host: { version: answerIn(server), why: whyNot(server) },
    members: (answerIn(clusters) ?? []).map(({ metadata, status }) => ({
      name: metadata.name,
      version: status?.kubernetesVersion,
    })),
  };
  return { ...facts, warnings: warningsOf(facts) };
}

function operatorIn({ namespace, lease, deployments }: Installation): OperatorVersion {
  const found = answerIn(lease);
  const leader = found?.spec?.holderIdentity;
  // It stays on the Lease when whoever led has gone.
  const version = leader ? versionOn(found) : undefined;
  const why = whyNot(lease) ?? whyUnknown(leader, version);
  return { namespace, version, leader, why, deployments: (answerIn(deployments) ?? []).map(deployed) };
}

function whyUnknown(leader: string | undefined, version: string | undefined): string | undefined {
  if (!leader) return "no watcher leads";
  return version === undefined ? "the watcher that leads does not say its version" : undefined;
}

function deployed(deployment: KubeObject): OperatorVersion["deployments"][number] {
  const spec = deployment["spec"] as
    | { template?: { spec?: { containers?: readonly { image?: string }[] } } }
    | undefined;
  const image = spec?.template?.spec?.containers?.[0]?.image;
  return { name: deployment.metadata.name, version: versionOn(deployment), image };
}

/** Pure: which of the CRDs are there, and of which release. */
export function crdVersions(crds: Read<readonly FoundCrd[]>): CrdVersions {
  const all = answerIn(crds) ?? [];
  const namesOf = (some: readonly FoundCrd[]): string[] => some.map(({ name }) => name);
  const there = all.filter(({ found }) => found !== undefined);
  const versions = there.flatMap(({ found }) => versionOn(found) ?? []);
  return {
    version: versions.reduce<string | undefined>((oldest, one) => (isOlder(oldest, one) ? oldest : one), undefined),
    missing: namesOf(all.filter(({ found }) => found === undefined)),
    unmarked: namesOf(there.filter(({ found }) => versionOn(found) === undefined)),
    why: whyNot(crds),
  };
}

const UPGRADE_CRDS = "helm upgrade brings them, or kubectl apply --server-side -f crds/";

/** Pure: what does not go together, each with what to do. */
export function warningsOf({ client, operator, crds, host }: Omit<VersionReport, "warnings" | "members">): Skew[] {
  return [
    ...clientSkew(client.version, operator.version),
    ...deploymentSkew(operator),
    ...crdSkew(crds, operator.version ?? client.version),
    ...(isOlder(host.version, OLDEST_HOST)
      ? [skew("host", `the host runs Kubernetes ${host.version}, older than ${OLDEST_HOST}`, "upgrade the host")]
      : []),
  ];
}

function skew(about: Skew["about"], message: string, fix: string): Skew {
  return { about, message, fix };
}

function clientSkew(client: string, operator: string | undefined): Skew[] {
  if ((minorsApart(client, operator) ?? 0) <= 1) return [];
  const message = `this program is v${client}, the operator v${operator}: more than one minor version apart`;
  return [skew("client", message, `use holdfast v${operator}, or upgrade the operator`)];
}

function deploymentSkew({ version: leads, deployments, namespace }: OperatorVersion): Skew[] {
  const others = deployments.filter(({ version }) => version !== undefined && leads !== undefined && version !== leads);
  return others.map(({ name, version }) =>
    skew(
      "operator",
      `deployment ${name} is v${version}, the watcher that leads v${leads}`,
      `wait for the upgrade: kubectl rollout status deployment/${name} -n ${namespace}`,
    ),
  );
}

function crdSkew({ version, missing, unmarked }: CrdVersions, release: string): Skew[] {
  const strangers = `${unmarked.length} CRDs say no version (such as ${unmarked[0]}): of another product, or an early release`;
  return [
    missing.length > 0 && skew("crds", `the host lacks ${missing.join(", ")}`, UPGRADE_CRDS),
    unmarked.length > 0 && skew("crds", strangers, UPGRADE_CRDS),
    isOlder(version, release) && skew("crds", `the CRDs are of v${version}, older than v${release}`, UPGRADE_CRDS),
  ].filter(one => one !== false);
}
