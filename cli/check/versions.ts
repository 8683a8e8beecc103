// What do the versions of all parts mean for whoever checks an installation?
import type { VersionReport } from "../version/report.js";
import { broken, doubtful, fine, unseen, type Finding } from "./finding.js";

/** CRDs that do not fit are broken; the rest of a skew is worth knowing. */
export function versionFindings({ operator, crds, host, client, warnings }: VersionReport): Finding[] {
  const ofCrds = warnings
    .filter(({ about }) => about === "crds")
    .map(({ message, fix }) => broken("crds", message, fix));
  const others = warnings
    .filter(({ about }) => about !== "crds")
    .map(({ message, fix }) => doubtful("versions", message, fix));
  const together = `this program v${client.version}, operator ${operator.version ? `v${operator.version}` : "unknown"}`;
  return [
    host.why ? unseen("host", host.why) : fine("host", `Kubernetes ${host.version}`),
    ...(others.length > 0 ? others : [fine("versions", together)]),
    ...(crds.why ? [unseen("crds", crds.why)] : orFine(ofCrds, `complete, of v${crds.version}`)),
  ];
}

function orFine(findings: readonly Finding[], message: string): readonly Finding[] {
  return findings.length > 0 ? findings : [fine("crds", message)];
}
