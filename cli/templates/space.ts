// What stands in a namespace of templates, and how does it stop being one?
import type { KubeObject } from "../../crds/object.js";
import { HELD_KINDS } from "../../lib/domain/held-kinds.js";
import { heldKindOf, holdsTemplates, isMarked } from "../../lib/domain/hold.js";
import { TEMPLATES_LABEL, TEMPLATES_RELEASED_ANNOTATION } from "../../lib/domain/marks.js";
import { isNotFound } from "../../lib/kube/errors.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mergeAs } from "../access/edit.js";
import type { Fleet } from "../access/fleet.js";
import { Problem } from "../problem.js";
import type { Carried } from "./release.js";

/** What stands in the namespace, of the kinds that are held. */
export interface Space {
  readonly namespace: KubeObject;
  readonly templates: readonly Carried[];
}

/** @throws Problem when it is not there, KubeError */
export async function readSpace({ host: { client } }: Fleet, name: string): Promise<Space> {
  const namespace = await new ResourceClient(client, NAMESPACES).find({ name });
  if (!namespace) throw new Problem(`there is no namespace ${name} on the host`, "kubectl get namespaces shows them");
  const lists = await Promise.all(
    HELD_KINDS.map(async kind => {
      const objects = new ResourceClient(client, { ...kind, namespaced: true });
      const { items } = await objects.list({}, name).catch((error: unknown) => {
        if (isNotFound(error)) return { items: [] };
        throw error;
      });
      const isMeant = holdsTemplates(namespace) ? isTemplate : isHeldTemplate;
      return items.filter(isMeant).map(template => ({ template, objects }));
    }),
  );
  return { namespace, templates: lists.flat() };
}

/** What runs in an ordinary namespace is none. */
function isHeldTemplate(object: KubeObject): boolean {
  return isTemplate(object) && isMarked(object);
}

/** What a controller has made stood here before the hold, and is that controller's. */
function isTemplate(object: KubeObject): boolean {
  const { ownerReferences = [], deletionTimestamp } = object.metadata;
  const isMade = heldKindOf(object)?.oftenMade && ownerReferences.some(({ controller }) => controller);
  return !isMade && !deletionTimestamp;
}

/** Takes the label off; the word says why that is allowed although something may start. @throws KubeError */
export async function unlabel({ host: { client } }: Fleet, namespace: KubeObject, word: "run" | null): Promise<void> {
  const { uid } = namespace.metadata;
  const metadata = {
    ...{ uid, labels: { [TEMPLATES_LABEL]: null } },
    annotations: { [TEMPLATES_RELEASED_ANNOTATION]: word },
  };
  await mergeAs(new ResourceClient(client, NAMESPACES), namespace, { metadata });
}
