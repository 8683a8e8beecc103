// Which kinds do the stories of Argo CD read that other tests do not?
import type { ApiResource } from "../../../lib/kube/resource.js";
import type { Site } from "../../integration/support/site.js";

const namespaced = (kind: string, plural: string, groupVersion: string): ApiResource => {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return { group, version, kind, plural, namespaced: true };
};

const KINDS: readonly ApiResource[] = [
  namespaced("Service", "services", "v1"),
  namespaced("StatefulSet", "statefulsets", "apps/v1"),
  namespaced("DaemonSet", "daemonsets", "apps/v1"),
  namespaced("CronJob", "cronjobs", "batch/v1"),
  namespaced("Job", "jobs", "batch/v1"),
];

/** A site that knows them. */
export function learnAll(site: Site): Site {
  for (const kind of KINDS) site.learn(kind);
  return site;
}
