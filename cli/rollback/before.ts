// How was what is in the members before it was taken over?
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { objectIn } from "../../lib/domain/snapshot.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { ADOPTION_SNAPSHOTS, SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mapLimited } from "../access/limited.js";
import type { PlacedWork } from "../view/chain.js";
import { readLabelled } from "./read.js";

/** What is kept of one object. `partial`: its metadata alone, so values cannot be given back. */
export interface Earlier {
  readonly object: KubeObject;
  readonly partial: boolean;
}

/** What is kept, by cluster and UID of the object: `cluster/uid`. */
export type Earliers = ReadonlyMap<string, Earlier>;

/** Reads what is kept for some Works. @throws KubeError */
export async function readEarlier(host: KubeClient, works: readonly PlacedWork[]): Promise<Earliers> {
  const ids = works.flatMap(({ work }) => work.metadata.labels?.[WORK_ID_LABEL] ?? []);
  const snapshots = await readLabelled(
    new ResourceClient<AdoptionSnapshot>(host, ADOPTION_SNAPSHOTS),
    WORK_ID_LABEL,
    ids,
  );
  const secrets = new ResourceClient(host, SECRETS);
  const found = await mapLimited(snapshots, async snapshot => {
    const { cluster, uid, partial = false, secretRef } = snapshot.spec;
    const object = objectIn(snapshot, secretRef && (await secrets.find(secretRef)));
    return object ? ([[`${cluster}/${uid}`, { object, partial }]] as const) : [];
  });
  return new Map(found.flat());
}
