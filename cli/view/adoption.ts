// Whose is an object in a member, and was it there before us?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { ManifestStatus, Work } from "../../crds/work.js";
import { isOurs } from "../../capabilities/work/plan.js";
import { executionNamespace } from "../../lib/domain/names.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { UNKNOWN } from "../output/table.js";

/**
 * `Template`: a policy has claimed it on the host · `Adopted`: it was in the member before us · `Created`: we made it ·
 * `Foreign`: it is there and not ours · `Missing`: it should be there and is not · `<unknown>`: nobody knows.
 */
export type Adoption = "Template" | "Adopted" | "Created" | "Foreign" | "Missing" | typeof UNKNOWN;

/** An object that a Work wants in its member, and what the Work has on record about it. */
export interface Wanted {
  readonly work: Work;
  readonly manifest: KubeObject;
  readonly record: ManifestStatus | undefined;
}

/** What all Works of one member want there, by `objectKey`. */
export type WantedObjects = ReadonlyMap<string, Wanted>;

/** Key of an object in one cluster, the same for every version of its kind. */
export function objectKey(object: Pick<KubeObject, "apiVersion" | "kind" | "metadata">): string {
  const { group, kind } = gvkOf(object);
  const { namespace = "", name } = object.metadata;
  return [group, kind, namespace, name].join("|");
}

/** Reads what one member shall have. */
export async function wantedIn(host: KubeClient, cluster: string): Promise<WantedObjects> {
  const { items } = await new ResourceClient<Work>(host, WORKS).list({}, executionNamespace(cluster));
  return wantedBy(items);
}

/** What some Works of one member want there. A Work that leaves wants nothing any more. */
export function wantedBy(works: readonly Work[]): WantedObjects {
  const staying = works.filter(({ metadata }) => !metadata.deletionTimestamp);
  return new Map(
    staying.flatMap(work =>
      (work.spec.workload?.manifests ?? []).map((manifest, ordinal) => {
        const record = work.status?.manifestStatuses?.find(({ identifier }) => identifier.ordinal === ordinal);
        return [objectKey(manifest), { work, manifest, record }] as const;
      }),
    ),
  );
}

/** The Works that want something there, by `objectKey` of that. */
export function worksByObject(works: readonly Work[]): ReadonlyMap<string, Work> {
  return new Map([...wantedBy(works)].map(([key, { work }]) => [key, work]));
}

/** How an object that is there, or should be, came to be there. An origin on record is that of one uid only. */
export function adoptionOf(live: KubeObject | undefined, wanted: Wanted | undefined): Adoption {
  if (!live) return "Missing";
  if (!wanted || !isOurs(live, wanted.work)) return "Foreign";
  const { record } = wanted;
  if (record?.uid !== live.metadata.uid) return UNKNOWN;
  return recordedAdoption(wanted);
}

/** What is on record about an object that cannot be looked at now. */
export function recordedAdoption({ record }: Wanted): Adoption {
  return record?.origin === "Adopted" || record?.origin === "Created" ? record.origin : UNKNOWN;
}
