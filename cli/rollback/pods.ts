// Which Pods does a workload have?
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";
import type { Bare } from "./read.js";

/** How many owners may stand between a Pod and its workload: CronJob, Job, Pod is one; more is a custom controller's. */
const DEPTH = 4;

/** Whether an object may be the origin of Pods: whoever makes some says how they look, and a custom resource may do so anywhere. */
export function mayHavePods({ apiVersion, ...object }: KubeObject): boolean {
  const spec = object["spec"];
  if (isRecord(spec) && ("template" in spec || "jobTemplate" in spec)) return true;
  const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [];
  return group.includes(".") && !group.endsWith(".k8s.io");
}

/** UIDs of Pods by the uid of each of `workloads`. `between`: what may stand in the chain of owners, such as ReplicaSets. */
export function podsByWorkload(
  workloads: ReadonlySet<string>,
  pods: readonly Bare[],
  between: readonly Bare[],
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map(between.map(object => [object.metadata.uid ?? "", ownerOf(object)]));
  const found = new Map<string, string[]>();
  for (const pod of pods) {
    const workload = origin(ownerOf(pod));
    if (workload === undefined || !pod.metadata.uid) continue;
    found.set(workload, [...(found.get(workload) ?? []), pod.metadata.uid]);
  }
  return found;

  function origin(owner: string | undefined): string | undefined {
    let current = owner;
    for (let depth = 0; depth < DEPTH && current !== undefined; depth++) {
      if (workloads.has(current)) return current;
      current = owners.get(current);
    }
    return undefined;
  }
}

function ownerOf({ metadata }: Bare): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}
