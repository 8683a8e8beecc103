// Is a copy what it should be after its template was let go of?
import type { KubeObject } from "../../crds/object.js";
import { withoutKeys } from "../../lib/domain/json-value.js";
import { KARMADA_MEMBER_ANNOTATIONS, KARMADA_MEMBER_LABELS, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { bearsOurFields } from "../../lib/domain/release.js";
import type { Visit } from "../access/fleet.js";
import { compare, isSame } from "../preview/compare.js";
import { objectKey } from "../view/adoption.js";
import type { Foreseen } from "./foresee.js";
import { COUNTERS } from "./overwrite.js";
import type { PodsProof, Proof, Remembered } from "./request.js";
import type { Sight, Sighting } from "./sight.js";

/** What was seen of one copy, before and after. */
export interface Evidence {
  readonly copy: Foreseen;
  readonly visit: Visit<Sight> | undefined;
  /** Its Work is still there. */
  readonly isHeld: boolean;
  /** What an earlier run has seen. */
  readonly remembered: Remembered | undefined;
}

/** Pure. */
export function prove(evidence: Evidence): Proof {
  const { copy, visit, isHeld } = evidence;
  const base = { object: copy.reference, cluster: copy.cluster };
  if (!visit || "why" in visit) {
    const why = visit?.why ?? "there is no Cluster of this name any more";
    const remark = isHeld ? `${why}; its Work has the order, and lets go when the member answers` : why;
    return { ...base, outcome: isHeld ? "Pending" : "Unproven", proven: false, remark };
  }
  const after = visit.answer.get(objectKey(copy.reference));
  if (!after) return { ...base, ...absent(evidence) };
  return { ...base, ...present(evidence, after) };
}

type Finding = Omit<Proof, "object" | "cluster">;

function absent({ copy, isHeld, remembered }: Evidence): Finding {
  const before = copy.sighting?.live.metadata.uid ?? remembered?.uid;
  if (before !== undefined) {
    const remark = copy.fate === "delete" ? "its order was to delete it" : "it was there before, and is not any more";
    return { outcome: "Failed", proven: false, uid: { before }, remark };
  }
  return { outcome: "NotThere", proven: !isHeld, ...(isHeld && { remark: "its Work is still there" }) };
}

function present(evidence: Evidence, { live, pods: podsNow }: Sighting): Finding {
  const { copy, remembered } = evidence;
  const before = beforeOf(evidence);
  const uid = { before: before?.live.metadata.uid ?? remembered?.uid, after: live.metadata.uid };
  if (copy.fate === "leave") return untouched({ copy, live, uid });
  const pods = podsNow && podsProof(podsNow, before?.pods ?? remembered?.pods, copy.rollsOut);
  return judged(evidence, live, { uid, marks: marksOn(live), ...(pods && { pods }) });
}

function judged(evidence: Evidence, live: KubeObject, facts: Facts): Finding {
  const { copy } = evidence;
  const troubles = troublesOf(evidence, live, facts);
  if (troubles.length > 0) return { outcome: "Failed", proven: false, ...facts, remark: troubles.join("; ") };
  const remark = remarkOn(copy, live, facts.uid.before);
  const outcome = copy.fate === "restore" ? "Restored" : "Kept";
  return { outcome, proven: true, ...facts, ...(remark && { remark }) };
}

/** Of a copy that had left before this run, what was there before it is not known. */
function beforeOf({ copy }: Evidence): Sighting | undefined {
  return copy.work && copy.sighting;
}

type Facts = Required<Pick<Proof, "uid" | "marks">> & Pick<Proof, "pods">;

function troublesOf({ copy, isHeld }: Evidence, live: KubeObject, { uid, marks, pods }: Facts): readonly string[] {
  return [
    ...(isHeld ? ["its Work is still there"] : []),
    ...(uid.before !== undefined && uid.before !== uid.after ? ["it is another object than before"] : []),
    ...(marks.length > 0 ? ["marks are left on it"] : []),
    ...podsTrouble(pods),
    ...(copy.fate === "restore" && !hasValues(copy.after, live) ? [NOT_RESTORED] : []),
  ];
}

const NOT_RESTORED = "its values are not those of before; Events of its Work (RestoreFailed) may say why";

function untouched({ copy, live, uid }: { copy: Foreseen; live: KubeObject; uid: NonNullable<Proof["uid"]> }): Finding {
  const id = copy.work?.metadata.labels?.[WORK_ID_LABEL];
  const isMarked = id !== undefined && live.metadata.labels?.[WORK_ID_LABEL] === id;
  const proven = uid.before === uid.after && !isMarked;
  return { outcome: proven ? "Untouched" : "Failed", proven, uid, ...(copy.remark && { remark: copy.remark }) };
}

/** Every mark of ours or of Karmada's in the metadata of an object; the farewell entry of a release is none. */
export function marksOn(live: KubeObject): readonly string[] {
  const { labels = {}, annotations = {} } = live.metadata;
  return [
    ...KARMADA_MEMBER_LABELS.filter(key => key in labels),
    ...KARMADA_MEMBER_ANNOTATIONS.filter(key => key in annotations),
    ...(bearsOurFields(live) ? ["managedFields"] : []),
  ];
}

function podsProof(now: readonly string[], before: readonly string[] | undefined, rollsOut: boolean): PodsProof {
  const same = before?.filter(uid => now.includes(uid)).length;
  return { ...(before && { before: before.length, same }), now: now.length, rollsOut };
}

function podsTrouble(pods: PodsProof | undefined): readonly string[] {
  if (!pods || pods.rollsOut || pods.before === undefined || pods.same === pods.before) return [];
  return [`${pods.before - (pods.same ?? 0)} of its Pods are not there any more`];
}

function hasValues(expected: KubeObject | undefined, live: KubeObject): boolean {
  return isSame(compare(expected && lasting(expected), lasting(live)));
}

/** Without marks, and without what controllers count. */
export function lasting(object: KubeObject): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const notes = withoutKeys(annotations, key => COUNTERS.includes(key) || KARMADA_MEMBER_ANNOTATIONS.includes(key));
  const names = withoutKeys(labels, key => KARMADA_MEMBER_LABELS.includes(key));
  return { ...object, metadata: { ...metadata, labels: names, annotations: notes } };
}

/** Why nobody knows how it was before. */
function whyUnseen({ work, fate }: Foreseen): string {
  if (!work) return "the template had gone already";
  return fate === "unknown" ? "the member did not answer when this began" : "it was not there when this began";
}

function remarkOn(copy: Foreseen, live: KubeObject, before: string | undefined): string | undefined {
  if (before === undefined) return `proven by the absence of marks alone: ${whyUnseen(copy)}`;
  if (copy.fate === "restore") return copy.rollsOut ? "the values of before are rolled out" : undefined;
  if (copy.irrevocable) return copy.irrevocable;
  if (!hasValues(copy.after, live)) return "somebody has changed it meanwhile";
  return copy.remark;
}
