// What would a member make of a write? Asked of the member itself: nothing is stored.
import type { KubeObject } from "../../crds/object.js";
import { unknownFields, withoutField } from "../../capabilities/work/plan.js";
import { FIELD_MANAGER } from "../../lib/domain/marks.js";
import { KubeError } from "../../lib/kube/errors.js";
import { objectPath, type ResourceClient } from "../../lib/kube/resource.js";

/** The object as it would be. `dropped`: fields that the member does not know, which the operator leaves out. */
export interface DryRun {
  readonly object: KubeObject;
  readonly dropped: readonly string[];
}

/** A server-side apply as the operator's own. @throws KubeError */
export async function dryApply(objects: ResourceClient, manifest: KubeObject, force: boolean): Promise<DryRun> {
  const dropped: string[] = [];
  let reduced = manifest;
  for (;;) {
    try {
      const { object } = await objects.apply(reduced, { manager: FIELD_MANAGER, force, dryRun: true });
      return { object, dropped };
    } catch (error) {
      const unknown = error instanceof KubeError && error.status === 500 ? unknownFields(error.message) : [];
      // A field named a second time is one that cannot be taken out.
      if (unknown.length === 0 || unknown.some(field => dropped.includes(field))) throw error;
      dropped.push(...unknown);
      reduced = unknown.reduce(withoutField, reduced);
    }
  }
}

/** A PUT of the whole object: the member fills in its defaults anew and may refuse. @throws KubeError */
export function dryReplace({ client, resource }: ResourceClient, object: KubeObject): Promise<KubeObject> {
  const query = { dryRun: "All", fieldManager: FIELD_MANAGER };
  return client.request<KubeObject>("PUT", objectPath(resource, object.metadata), { body: object, query });
}
