// What is wrong or doubtful in a Cluster, told to the person who joins it?
import { Cluster } from "../../crds/cluster.js";
import type { ClusterSpec, LocalSecretReference } from "../../crds/cluster-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Taint } from "../../crds/taint.js";
import { findUnsupported } from "../../crds/unsupported.js";
import { refuse, together, type Verdict, warnIf } from "../../lib/domain/admission.js";
import { fieldErrorsOf, type FieldError } from "../../lib/domain/field-error.js";
import { validateLabelKey, validateLabelValue } from "../../lib/domain/label-selector.js";
import { resourceModelErrors } from "./validate-models.js";
import { endpointErrors, proxyErrors } from "./validate-urls.js";

/** The execution namespace `karmada-es-NAME` and the member's accounts must fit into 63 characters. */
const MAX_NAME_LENGTH = 48;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Everything at once about a Cluster. Pure. Rules: spec/karmada 3.4. */
export function validate(object: KubeObject): Verdict {
  const parsed = Cluster.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));

  const { kind, metadata, spec } = parsed.data;
  return together([
    refuse(findUnsupported(kind, spec)),
    refuse(nameErrors(metadata.name)),
    refuse(endpointErrors(spec.apiEndpoint, "spec.apiEndpoint")),
    refuse(proxyErrors(spec.proxyURL, "spec.proxyURL")),
    refuse(secretErrors(spec.secretRef, "spec.secretRef")),
    refuse(secretErrors(spec.impersonatorSecretRef, "spec.impersonatorSecretRef")),
    refuse(placeErrors(spec)),
    refuse(taintErrors(spec.taints ?? [])),
    refuse(resourceModelErrors(spec.resourceModels ?? [], "spec.resourceModels")),
    unwise(spec),
  ]);
}

function nameErrors(name: string): FieldError[] {
  const errors: FieldError[] = [];
  const path = "metadata.name";
  if (name.length > MAX_NAME_LENGTH) {
    errors.push({ path, kind: "TooMany", value: name, detail: `at most ${MAX_NAME_LENGTH} characters; shorten it` });
  }
  if (!DNS_LABEL.test(name)) {
    const detail = "not a DNS label; use lower case letters, digits and -, beginning and ending with one of the former";
    errors.push({ path, kind: "Invalid", value: name, detail });
  }
  return errors;
}

function secretErrors(reference: LocalSecretReference | undefined, path: string): FieldError[] {
  if (!reference) return [];
  return (["namespace", "name"] as const).flatMap((field): FieldError[] =>
    reference[field] === "" ? [{ path: `${path}.${field}`, kind: "Required", detail: "names the Secret" }] : [],
  );
}

function placeErrors({ provider = "", region = "", zone = "", zones = [] }: ClusterSpec): FieldError[] {
  const copied = zones.length === 1 && zones[0] === zone;
  const both = zone !== "" && zones.length > 0 && !copied;
  const detail = "the old form of zones, which is set too; move it into zones";
  return [
    ...validateLabelValue(provider, "spec.provider"),
    ...validateLabelValue(region, "spec.region"),
    ...validateLabelValue(zone, "spec.zone"),
    ...zones.flatMap((each, index) => zoneErrors(zones, each, index)),
    ...(both ? [{ path: "spec.zone", kind: "Forbidden", detail } as const] : []),
  ];
}

function zoneErrors(zones: readonly string[], zone: string, index: number): FieldError[] {
  const path = `spec.zones[${index}]`;
  if (zone === "") return [{ path, kind: "Required", detail: "name a zone, or remove the entry" }];
  if (zones.indexOf(zone) < index) return [{ path, kind: "Duplicate", value: zone, detail: "remove one of them" }];
  return validateLabelValue(zone, path);
}

function taintErrors(taints: readonly Taint[]): FieldError[] {
  const ids = taints.map(({ key, effect }) => `${key}:${effect}`);
  return taints.flatMap(({ key, value = "" }, index): FieldError[] => {
    const path = `spec.taints[${index}]`;
    const id = ids[index];
    const twice = id !== undefined && ids.indexOf(id) < index;
    return [
      ...validateLabelKey(key, `${path}.key`),
      ...validateLabelValue(value, `${path}.value`),
      ...(twice ? [{ path, kind: "Duplicate", value: id, detail: "one taint for each key and effect" } as const] : []),
    ];
  });
}

function unwise({ syncMode, apiEndpoint, secretRef, insecureSkipTLSVerification }: ClusterSpec): Verdict {
  const pushed = syncMode === "Push";
  return together([
    warnIf(pushed && !apiEndpoint, "spec.apiEndpoint: without it nothing can be sent to the cluster"),
    warnIf(pushed && !secretRef, "spec.secretRef: without it nothing can be sent to the cluster"),
    warnIf(
      insecureSkipTLSVerification === true,
      "spec.insecureSkipTLSVerification: whoever is in between reads the token",
    ),
  ]);
}
