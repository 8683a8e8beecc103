// Sends one manifest to its member, leaving out what an older member does not know.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { FIELD_MANAGER } from "../../lib/domain/marks.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import type { Member } from "../../lib/kube/member.js";
import type { Outcomes } from "./outcomes.js";
import { recordOf, unknownFields, withMarks, withoutField } from "./plan.js";

/** One manifest of one Work, on its way to one member. */
export interface ApplyRequest {
  readonly work: Work;
  readonly workKey: string;
  readonly member: Member;
  readonly manifest: KubeObject;
  readonly signal: AbortSignal;
}

/** What the member made of it. `dropped`: fields that it does not know and that were left out. */
export interface Sent {
  readonly created: boolean;
  readonly object: KubeObject;
  readonly dropped: readonly string[];
}

/** Sends `manifest`, which is the request's own or a variant of it. */
export type Send = (request: ApplyRequest, objects: Collection, manifest: KubeObject, force: boolean) => Promise<Sent>;

/** Remembers what the server made of each manifest, so that nothing is sent twice. */
export function sender(outcomes: Outcomes): Send {
  return async function send(request, objects, manifest, force) {
    const dropped: string[] = [];
    let reduced = manifest;
    for (;;) {
      try {
        const answer = await objects.apply(reduced, { manager: FIELD_MANAGER, force }, request.signal);
        const marked = withMarks(request.manifest, request.work);
        outcomes.setRecord(request.workKey, marked, recordOf(marked, answer.object));
        return { ...answer, dropped };
      } catch (error) {
        const unknown = error instanceof KubeError && error.status === 500 ? unknownFields(error.message) : [];
        // A field named a second time is one that cannot be taken out: sending the same again is no use.
        if (unknown.length === 0 || unknown.some(field => dropped.includes(field))) throw error;
        dropped.push(...unknown);
        reduced = unknown.reduce(withoutField, reduced);
      }
    }
  };
}
