// What will become of one copy, and what must be known before?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { isOurs } from "../../capabilities/work/plan.js";
import { applyJsonPatch, type PatchOperation } from "../../lib/domain/json-patch.js";
import { isRecord, sameJson } from "../../lib/domain/json-value.js";
import { planRestoration } from "../../lib/domain/restore.js";
import type { Visit } from "../access/fleet.js";
import { objectKey } from "../view/adoption.js";
import type { Earlier } from "./before.js";
import { byPeople, overwritePatch } from "./overwrite.js";
import type { Reference } from "./request.js";
import type { Sight, Sighting } from "./sight.js";

/** `unknown`: the member could not be looked at. `leave`: it is there and not ours. `delete`: its order says so already. */
export type Fate = "keep" | "restore" | "leave" | "nothing" | "delete" | "unknown";

/** One copy as it is, and as it will be. */
export interface Foreseen {
  readonly cluster: string;
  readonly reference: Reference;
  /** Absent when the template has left this cluster already. */
  readonly work?: Work;
  readonly fate: Fate;
  /** As it is now. */
  readonly sighting?: Sighting;
  /** As it will be, apart from marks. */
  readonly after?: KubeObject;
  /** What others have changed since it was taken over, and what a restoration would undo only by force; JSON pointers. */
  readonly changedByOthers: readonly string[];
  /** Undoes that. */
  readonly overwrite?: readonly PatchOperation[];
  /** The member will replace or scale its Pods. */
  readonly rollsOut: boolean;
  /** Why the values of before cannot be given back. */
  readonly irrevocable?: string;
  readonly remark?: string;
}

/** What is known of one copy. */
export interface CopyFacts {
  readonly cluster: string;
  readonly reference: Reference;
  readonly work: Work | undefined;
  readonly visit: Visit<Sight> | undefined;
  /** What its template, or its order, will say. */
  readonly word: Cascade;
  /** What is kept of the object that is there now. */
  readonly earlier: (uid: string) => Earlier | undefined;
}

/** Pure. */
export function foresee(facts: CopyFacts): Foreseen {
  const { cluster, reference, work, visit } = facts;
  const base = { cluster, reference, ...(work && { work }), changedByOthers: [], rollsOut: false };
  if (!visit || "why" in visit) {
    return { ...base, fate: "unknown", remark: visit?.why ?? "there is no Cluster of this name any more" };
  }
  const sighting = visit.answer.get(objectKey(reference));
  if (!sighting) return { ...base, fate: "nothing" };
  const seen = { ...base, sighting, after: sighting.live };
  return { ...seen, ...(work ? fateOf({ ...facts, work }, sighting.live) : KEPT) };
}

type Fated = Pick<Foreseen, "fate"> & Partial<Foreseen>;

const KEPT: Fated = { fate: "keep" };

function fateOf(facts: CopyFacts & { readonly work: Work }, live: KubeObject): Fated {
  const { work, word } = facts;
  if (!isOurs(live, work)) return unmarked(work, live);
  if (word === "restore") return restoration(facts, live);
  return word === "orphan" ? KEPT : { fate: fateByOrder(word, work, live) };
}

/** Read a moment after its Work: it may have been let go of in between. */
function unmarked(work: Work, live: KubeObject): Fated {
  if (originOf(work, live) === "Unknown") return { fate: "leave", remark: "it is not Holdfast's, and stays as it is" };
  return { fate: "keep", remark: "it has been let go of already" };
}

function fateByOrder(word: Cascade, work: Work, live: KubeObject): Fate {
  if (word === "background") return "delete";
  return originOf(work, live) === "Created" ? "delete" : "keep";
}

/** Whether we made it, as the Work has it on record for this very object. */
function originOf(work: Work, live: KubeObject): string {
  const record = work.status?.manifestStatuses?.find(({ uid }) => uid === live.metadata.uid);
  return record?.origin ?? "Unknown";
}

function restoration({ work, earlier }: CopyFacts & { readonly work: Work }, live: KubeObject): Fated {
  const before = earlier(live.metadata.uid ?? "");
  if (!before) {
    if (originOf(work, live) === "Created") return { ...KEPT, remark: "it was not there before" };
    return { ...KEPT, irrevocable: "how it was before it was taken over is not on record" };
  }
  if (before.partial) return { ...KEPT, irrevocable: "it was too large to be kept as it was" };
  const { changedByOthers: changed } = planRestoration(live, before.object);
  const changedByOthers = byPeople(live, changed);
  const overwrite = overwritePatch(live, before.object, changedByOthers);
  const cleared = overwrite ? applyJsonPatch(live, overwrite) : live;
  const { object: after } = planRestoration(cleared, before.object);
  const rollsOut = !sameJson(podsOf(live), podsOf(after));
  return { fate: "restore", after, changedByOthers, ...(overwrite && { overwrite }), rollsOut };
}

/** What decides how many Pods there are, and how they look. */
function podsOf({ spec }: KubeObject): unknown {
  return isRecord(spec) && [spec["replicas"], spec["template"], spec["jobTemplate"]];
}
