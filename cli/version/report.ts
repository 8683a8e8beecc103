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
  readonly warnings: readonly string[];
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
  const version = versionOn(found);
  const why = whyNot(lease) ?? whyUnknown(leader, version);
  return { namespace, version, leader, why, deployments: (answerIn(deployments) ?? []).map(deployed) };
}

function whyUnknown(leader: string | undefined, version: string | undefined): string | undefined {
  if (leader === undefined) return "no watcher leads";
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
export function warningsOf({ client, operator, crds, host }: Omit<VersionReport, "warnings" | "members">): string[] {
  const release = operator.version ?? client.version;
  const apart = minorsApart(client.version, operator.version) ?? 0;
  const others = operator.deployments.filter(
    ({ version }) => version !== undefined && operator.version !== undefined && version !== operator.version,
  );
  return [
    apart > 1 &&
      `this program is v${client.version}, the operator v${operator.version}: more than one minor version apart; use holdfast v${operator.version}, or upgrade the operator`,
    ...others.map(
      ({ name, version }) =>
        `deployment ${name} is v${version}, the watcher that leads v${operator.version}; is the upgrade under way? kubectl rollout status deployment/${name} -n ${operator.namespace}`,
    ),
    crds.missing.length > 0 && `the host lacks ${crds.missing.join(", ")}: ${UPGRADE_CRDS}`,
    crds.unmarked.length > 0 &&
      `${crds.unmarked.length} CRDs say no version (such as ${crds.unmarked[0]}): they are of another product or an early release; ${UPGRADE_CRDS}`,
    isOlder(crds.version, release) && `the CRDs are of v${crds.version}, older than v${release}: ${UPGRADE_CRDS}`,
    isOlder(host.version, OLDEST_HOST) &&
      `the host runs Kubernetes ${host.version}; Holdfast needs ${OLDEST_HOST} or newer: upgrade the host`,
  ].filter(warning => typeof warning === "string");
}
