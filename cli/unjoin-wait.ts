// When is a Cluster gone, and what did it say before it went?
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../crds/cluster.js";
import { farewellOf, type FarewellReport } from "../lib/domain/farewell-report.js";
import type { KubeClient } from "../lib/kube/client.js";
import { CLUSTERS } from "../lib/kube/kinds.js";
import { collectionPath, ResourceClient } from "../lib/kube/resource.js";

/** How the wait ended. */
export interface Waited {
  readonly gone: boolean;
  /** The last word about what was in it, if there was one. */
  readonly report: FarewellReport | undefined;
}

const AGAIN_MS = 300;

interface WatchEvent {
  readonly type: string;
  readonly object: Cluster;
}

/**
 * Follows one Cluster, not its namesakes, until it is gone or the time is up. A watch, since the report is written a moment
 * before the end; where that breaks off it begins anew. @throws KubeError when the host cannot be read
 */
export async function untilGone(host: KubeClient, { metadata }: Cluster, waitMs: number): Promise<Waited> {
  const { name, uid } = metadata;
  const clusters = new ResourceClient<Cluster>(host, CLUSTERS);
  const deadline = AbortSignal.timeout(waitMs);
  let report: FarewellReport | undefined;
  for (;;) {
    const live = await clusters.find({ name });
    if (!live || live.metadata.uid !== uid) return { gone: true, report };
    report = farewellOf(live.metadata) ?? report;
    if (deadline.aborted) return { gone: false, report };
    if (await follow(live)) return { gone: true, report };
    await sleep(AGAIN_MS);
  }

  /** True when it was seen to go. */
  async function follow(live: Cluster): Promise<boolean> {
    const { resourceVersion } = live.metadata;
    const query = { watch: 1, fieldSelector: `metadata.name=${name}`, resourceVersion };
    try {
      for await (const { type, object } of host.stream<WatchEvent>(collectionPath(CLUSTERS), {
        query,
        signal: deadline,
      })) {
        if (type === "ERROR") return false;
        if (object.metadata.uid !== uid) continue;
        report = farewellOf(object.metadata) ?? report;
        if (type === "DELETED") return true;
      }
    } catch {
      // Cut, refused, or the time is up: the next read tells which.
    }
    return false;
  }
}
