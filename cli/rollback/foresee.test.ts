// Is what will become of a copy told from what is there, and from what is on record about it?
import { describe, expect, it } from "vitest";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";
import { objectKey } from "../view/adoption.js";
import { configMap, workFor } from "../view/samples.js";
import { foresee } from "./foresee.js";

const manifest: KubeObject = configMap("settings");
const work = workFor(manifest, { uid: "u1", origin: "Adopted" });
const made = workFor(manifest, { uid: "u1", origin: "Created" });
const mark = { [WORK_ID_LABEL]: workPermanentId(work.metadata.namespace ?? "", work.metadata.name) };

const entry = (manager: string, ...keys: readonly string[]): ManagedFieldsEntry => ({
  manager,
  operation: manager === "holdfast" ? "Apply" : "Update",
  apiVersion: "v1",
  fieldsV1: { "f:data": Object.fromEntries(keys.map(key => [`f:${key}`, {}])) },
});
const object = (
  data: unknown,
  labels: Record<string, string>,
  managedFields: readonly ManagedFieldsEntry[],
): KubeObject => ({
  ...manifest,
  metadata: { ...manifest.metadata, uid: "u1", resourceVersion: "7", labels, managedFields },
  data,
});
const before = object({ a: "before" }, {}, [entry("kubectl-edit", "a")]);
const adopted = object({ a: "ours" }, mark, [entry("holdfast", "a")]);
const edited = object({ a: "ours", c: "theirs" }, mark, [entry("holdfast", "a"), entry("kubectl-edit", "c")]);

interface Given {
  readonly live?: KubeObject;
  readonly word?: Cascade;
  readonly of?: typeof work;
  readonly earlier?: { readonly object: KubeObject; readonly partial: boolean };
}

function foreseen({ live, word = "orphan", of = work, earlier }: Given) {
  const sight = new Map(live ? [[objectKey(live), { live }]] : []);
  return foresee({
    cluster: "m1",
    reference: manifest,
    work: of,
    visit: { cluster: "m1", answer: sight },
    word,
    earlier: () => earlier,
  });
}

describe("foresee", () => {
  const kept = { object: before, partial: false };

  it.each`
    what                                     | given                                                                   | fate
    ${"an object of ours"}                   | ${{ live: adopted }}                                                    | ${"keep"}
    ${"nothing"}                             | ${{}}                                                                   | ${"nothing"}
    ${"an object that was never ours"}       | ${{ live: { ...before, metadata: { ...before.metadata, uid: "u2" } } }} | ${"leave"}
    ${"one that was let go of a moment ago"} | ${{ live: before }}                                                     | ${"keep"}
    ${"an order to delete"}                  | ${{ live: adopted, word: "background" }}                                | ${"delete"}
    ${"adopted, of what was there before"}   | ${{ live: adopted, word: "adopted" }}                                   | ${"keep"}
    ${"adopted, of what we made"}            | ${{ live: adopted, word: "adopted", of: made }}                         | ${"delete"}
    ${"values of before on record"}          | ${{ live: adopted, word: "restore", earlier: kept }}                    | ${"restore"}
    ${"restore, of what we made"}            | ${{ live: adopted, word: "restore", of: made }}                         | ${"keep"}
  `("says $fate for $what", ({ given, fate }: { given: Given; fate: string }) => {
    expect(foreseen(given).fate).toBe(fate);
  });

  it("foresees the values of before, and what that would undo", () => {
    const plan = foreseen({ live: edited, word: "restore", earlier: kept });
    expect(plan.after?.["data"]).toEqual({ a: "before" });
    expect(plan.changedByOthers).toEqual(["/data/c"]);
    expect(plan.overwrite?.at(-1)).toEqual({ op: "remove", path: "/data/c" });
  });

  it.each`
    what                   | earlier                              | says
    ${"no record"}         | ${undefined}                         | ${"is not on record"}
    ${"its metadata only"} | ${{ object: before, partial: true }} | ${"too large"}
  `(
    "says that values cannot be given back with $what",
    ({ earlier, says }: { earlier: Given["earlier"]; says: string }) => {
      expect(foreseen({ live: adopted, word: "restore", ...(earlier && { earlier }) }).irrevocable).toContain(says);
    },
  );

  it("knows nothing of a member that does not answer", () => {
    const silent = { cluster: "m1", why: "no answer", error: undefined };
    const facts = { cluster: "m1", reference: manifest, work, visit: silent, word: "orphan" as const };
    expect(foresee({ ...facts, earlier: () => undefined })).toMatchObject({ fate: "unknown", remark: "no answer" });
  });
});
