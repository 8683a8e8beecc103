// Can Holdfast be installed on this host?
import type { KubeObject } from "../../crds/object.js";
import { listed } from "../../lib/domain/listed.js";
import { isOlder, VERSION_ANNOTATION } from "../../lib/domain/version.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { discover, type Served } from "../../lib/kube/discovery.js";
import { messageOf } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { versionOn, type FoundCrd } from "../operator/installation.js";
import { MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS } from "../operator/kinds.js";
import { answerIn, tryRead } from "../operator/read.js";
import { OLDEST_HOST } from "../version/report.js";
import type { Versions } from "../version/read.js";
import { broken, fine, unseen, type Finding } from "./finding.js";
import { rightsFinding } from "./rights.js";

/** Kinds of Karmada's that Holdfast does not have: whoever serves them has Karmada. */
const KARMADAS_OWN = ["ResourceInterpreterCustomization", "ResourceInterpreterWebhookConfiguration", "FederatedHPA"];
/** What of the API server's own an installation stands on. */
const NEEDED = ["ValidatingAdmissionPolicy", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/** Everything that can be known before. */
export async function beforeFindings(client: KubeClient, { installation, report }: Versions): Promise<Finding[]> {
  const [served, mutating, validating, rights] = await Promise.all([
    tryRead(discover(client)),
    tryRead(new ResourceClient(client, MUTATING_WEBHOOKS).list()),
    tryRead(new ResourceClient(client, VALIDATING_WEBHOOKS).list()),
    rightsFinding(client, installation.namespace).catch((error: unknown) => unseen("rights", messageOf(error))),
  ]);
  const crds = answerIn(installation.crds);
  const webhooks = [mutating, validating].flatMap(read => [...(answerIn(read)?.items ?? [])]);
  return [
    hostFinding(report.host.version, report.host.why),
    "why" in served ? unseen("admission API", served.why) : admissionApi(served.got),
    rights,
    crds ? crdsBefore(crds, report.client.version) : unseen("crds", report.crds.why ?? ""),
    otherProduct("why" in served ? undefined : served.got, webhooks),
  ];
}

/** Pure. */
export function hostFinding(version: string | undefined, why: string | undefined): Finding {
  if (version === undefined) return unseen("host", why ?? "it does not say its version");
  if (!isOlder(version, OLDEST_HOST)) return fine("host", `Kubernetes ${version}`);
  return broken(
    "host",
    `Kubernetes ${version} is older than ${OLDEST_HOST}`,
    "upgrade the host first, or choose another one",
  );
}

function admissionApi({ resources }: Served): Finding {
  const kinds = new Set(
    resources
      .filter(({ group, version }) => group === "admissionregistration.k8s.io" && version === "v1")
      .map(r => r.kind),
  );
  const missing = NEEDED.filter(kind => !kinds.has(kind));
  if (missing.length === 0) return fine("admission API", "admissionregistration.k8s.io/v1 is served whole");
  const fix = "enable admissionregistration.k8s.io/v1 in the API server (--runtime-config), or choose another host";
  return broken("admission API", `the host does not serve ${missing.join(", ")}`, fix);
}

/** Pure: whose are the CRDs that have the names of ours? */
export function crdsBefore(crds: readonly FoundCrd[], client: string): Finding {
  const there = crds.flatMap(({ found }) => found ?? []);
  // The label of the version is everybody's.
  const isOurs = ({ metadata }: KubeObject): boolean => metadata.annotations?.[VERSION_ANNOTATION] !== undefined;
  const strange = there.filter(crd => !isOurs(crd)).map(({ metadata }) => metadata.name);
  const newer = there.filter(crd => isOlder(client, versionOn(crd)));
  if (strange.length > 0) {
    const fix =
      "Holdfast and Karmada do not share a host: choose another one, or remove Karmada first. Of an early Holdfast: helm upgrade --take-ownership";
    return broken("crds", `${strange.length} CRDs of another product have our names: ${listed(strange)}`, fix);
  }
  if (newer[0]) {
    const message = `the CRDs are of v${versionOn(newer[0])}, newer than this program (v${client})`;
    return broken("crds", message, "install that version or a newer one; older CRDs would drop fields");
  }
  return fine(
    "crds",
    there.length === 0 ? "none of our names is taken" : `${there.length} of ours are there: this is an upgrade`,
  );
}

/** Pure: does Karmada itself, or another keeper of its kinds, run here? */
export function otherProduct(served: Served | undefined, webhooks: readonly KubeObject[]): Finding {
  const kinds = (served?.resources ?? []).filter(
    ({ group, kind }) => group.endsWith(".karmada.io") && KARMADAS_OWN.includes(kind),
  );
  const keepers = webhooks.filter(asksAboutPolicies).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const signs = [...new Set(kinds.map(({ kind, group }) => `kind ${kind} of ${group}`)), ...keepers];
  if (signs.length === 0) return fine("other products", "nobody else keeps Karmada's kinds here");
  const fix =
    "two keepers of the same objects would undo one another's work: choose another host, or remove the other one first";
  return broken("other products", `somebody else keeps Karmada's kinds here: ${listed(signs)}`, fix);
}

interface Webhook {
  readonly rules?: readonly { readonly apiGroups?: readonly string[] }[];
}

function asksAboutPolicies({ metadata, webhooks }: KubeObject): boolean {
  if (metadata.name === "holdfast") return false;
  const groups = ((webhooks ?? []) as readonly Webhook[]).flatMap(({ rules }) => rules ?? []);
  return groups.some(({ apiGroups }) => apiGroups?.includes("policy.karmada.io") ?? false);
}

/** Where nothing of ours is to be found, `check` without `--pre` says only this. */
export function notInstalled(crds: readonly FoundCrd[]): Finding | undefined {
  if (crds.some(({ found }) => found !== undefined)) return undefined;
  return broken(
    "installation",
    "Holdfast is not installed on this host",
    "holdfast check --pre says whether it can be",
  );
}
