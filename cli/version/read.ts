// What does the host say about the versions of everything?
import type { Cluster } from "../../crds/cluster.js";
import { CLUSTERS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Access } from "../clients.js";
import { unreachable } from "../identity.js";
import { readInstallation, type Installation } from "../operator/installation.js";
import { tryRead, type Read } from "../operator/read.js";
import { version } from "../version.js";
import { versionReport, type VersionReport } from "./report.js";

/** What was read, and what it says about versions. */
export interface Versions {
  readonly installation: Installation;
  readonly clusters: Read<readonly Cluster[]>;
  readonly report: VersionReport;
}

/** `namespace` is the operator's, where a person has named it. @throws Problem when the host does not answer */
export async function readVersions({ client, connection }: Access, namespace: string | undefined): Promise<Versions> {
  await client.request("GET", "/version").catch((error: unknown) => {
    throw unreachable(error, "the host", connection.server);
  });
  const joined = new ResourceClient<Cluster>(client, CLUSTERS).list().then(({ items }) => items);
  const [installation, clusters] = await Promise.all([
    readInstallation(client, namespace),
    tryRead<readonly Cluster[]>(joined),
  ]);
  return { installation, clusters, report: versionReport(version(), installation, clusters) };
}
