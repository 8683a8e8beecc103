// How is a rollback told, before and after?
import type { Colors } from "../output/color.js";
import { documentOf, isData, nameOf as nameIn, type Format } from "../output/format.js";
import type { Output } from "../output/output.js";
import { tableOf, UNKNOWN, type Column } from "../output/table.js";
import { unifiedLines } from "../diff/text.js";
import { compare } from "../preview/compare.js";
import { gvkOf } from "../../crds/object.js";
import type { Fate, Foreseen } from "./foresee.js";
import { isAllowed, nameOf, type PlannedRollback } from "./plan.js";
import type { PodsProof, Proof, Reference } from "./request.js";
import { lasting } from "./verify.js";

/** `deployment.apps/web`. */
export function shortName(reference: Reference): string {
  return nameIn(gvkOf(reference), reference.metadata.name);
}

const COLUMNS: readonly Column<Proof>[] = [
  { header: "Namespace", value: ({ object }) => object.metadata.namespace, wide: true },
  { header: "Object", value: ({ object }) => shortName(object) },
  { header: "Cluster", value: ({ cluster }) => cluster },
  { header: "Outcome", value: ({ outcome }) => outcome },
  { header: "UID", value: ({ uid }) => uidWord(uid) },
  { header: "Pods", value: ({ pods }) => podsWord(pods) },
  { header: "Marks", value: ({ marks }) => marksWord(marks) },
  { header: "Remark", value: ({ remark }) => remark ?? "" },
];

function uidWord(uid: Proof["uid"]): string | undefined {
  if (!uid) return undefined;
  if (uid.after === undefined) return "gone";
  if (uid.before === undefined) return UNKNOWN;
  return uid.before === uid.after ? "same" : "other";
}

function podsWord(pods: PodsProof | undefined): string | undefined {
  if (!pods) return undefined;
  if (pods.rollsOut) return "rolls out";
  if (pods.before === undefined) return `${pods.now} now`;
  return pods.before === 0 ? undefined : `${pods.same}/${pods.before} same`;
}

function marksWord(marks: readonly string[] | undefined): string {
  if (!marks) return UNKNOWN;
  return marks.length === 0 ? "none" : marks.join(",");
}

/** Writes what became of everything. */
export function printProofs(proofs: readonly Proof[], format: Format, output: Output): void {
  if (isData(format)) return output.print(documentOf({ proofs }, format));
  for (const line of tableOf(COLUMNS, proofs, { wide: format === "wide" })) output.print(line);
}

/** More copies than this are counted, and only those are named that do not just stay as they are. */
const MANY = 20;

const WORDS: Readonly<Record<Fate, string>> = {
  keep: "stays as it is, without marks",
  restore: "gets its values of before back",
  leave: "is not Holdfast's, and stays",
  nothing: "is not there",
  delete: "is deleted: its order was given before",
  unknown: "cannot be looked at",
};

/** Says what each member will have, on stderr unless it is all that was asked for. */
export function tellPlan(planned: readonly PlannedRollback[], say: (line: string) => void, colors: Colors): void {
  const copies = planned.filter(one => isAllowed(one, true)).flatMap(one => one.copies.map(copy => ({ one, copy })));
  const isPlain = ({ copy }: (typeof copies)[number]) => copy.fate === "keep" && copy.remark === undefined;
  const plain = copies.filter(isPlain);
  const told = copies.length > MANY ? copies.filter(one => !isPlain(one)) : copies;
  if (copies.length > MANY && plain.length > 0) say(`${plain.length} copies stay as they are, without marks`);
  for (const { one, copy } of told) for (const line of linesOf(nameOf(one), copy, colors)) say(line);
}

/** Says what is refused, and why. */
export function tellRefusals(planned: readonly PlannedRollback[], force: boolean, say: (line: string) => void): void {
  for (const one of planned) {
    if (!isAllowed(one, force) && one.refusal) say(`${nameOf(one)} is left alone: ${one.refusal.why}`);
  }
}

function linesOf(name: string, copy: Foreseen, colors: Colors): readonly string[] {
  const remark = copy.remark ?? copy.irrevocable;
  const rollsOut = copy.rollsOut ? "; the member rolls that out" : "";
  const head = `${copy.cluster}: ${name} ${WORDS[copy.fate]}${rollsOut}${remark ? ` (${remark})` : ""}`;
  return [head, ...(copy.fate === "restore" ? diffLines(name, copy, colors) : [])];
}

function diffLines(name: string, { cluster, sighting, after }: Foreseen, colors: Colors): readonly string[] {
  const { before, after: then } = compare(sighting && lasting(sighting.live), after && lasting(after));
  if (before === then) return [];
  return unifiedLines({ name: `${cluster}/${name.replaceAll(/[ /]/g, ".")}`, before, after: then }, colors);
}

/** The plan as data. */
export function planAsData(planned: readonly PlannedRollback[]): unknown {
  return {
    planned: planned.map(({ standing, state, copies, refusal }) => ({
      object: standing.reference,
      state,
      ...(refusal && { refused: refusal.why }),
      copies: copies.map(copy => dataOf(copy)),
    })),
  };
}

function dataOf({ cluster, fate, sighting, after, changedByOthers, rollsOut, irrevocable, remark }: Foreseen): unknown {
  const values = fate === "restore" ? compare(sighting && lasting(sighting.live), after && lasting(after)) : undefined;
  return {
    cluster,
    fate,
    uid: sighting?.live.metadata.uid,
    pods: sighting?.pods?.length,
    ...(values && values.before !== values.after && { before: values.before, after: values.after }),
    changedByOthers,
    rollsOut,
    remark: remark ?? irrevocable,
  };
}
