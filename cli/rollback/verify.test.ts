// Is a copy judged by what was seen of it, and by nothing else?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { MANAGED_LABEL } from "../../lib/domain/marks.js";
import { objectKey } from "../view/adoption.js";
import { configMap, workFor } from "../view/samples.js";
import type { Foreseen } from "./foresee.js";
import type { Outcome } from "./request.js";
import { marksOn, prove } from "./verify.js";

const manifest: KubeObject = configMap("settings");
const work = workFor(manifest, { uid: "u1", origin: "Adopted" });
const live = (uid = "u1", extra: Partial<KubeObject["metadata"]> = {}, data: unknown = { a: "1" }): KubeObject => ({
  ...manifest,
  metadata: { ...manifest.metadata, uid, ...extra },
  data,
});
const copy = (changes: Partial<Foreseen> = {}): Foreseen => ({
  cluster: "m1",
  reference: manifest,
  work,
  fate: "keep",
  sighting: { live: live(), pods: ["p1", "p2"] },
  after: live(),
  changedByOthers: [],
  rollsOut: false,
  ...changes,
});
const there = (object: KubeObject, pods: readonly string[] = ["p1", "p2"]) => ({
  cluster: "m1",
  answer: new Map([[objectKey(object), { live: object, pods }]]),
});
const empty = { cluster: "m1", answer: new Map<string, never>() };
const silent = { cluster: "m1", why: "no answer", error: undefined };
const restored = { fate: "restore" as const };

describe("prove", () => {
  it.each`
    what                                        | copy                                              | visit                                                         | isHeld   | outcome        | proven
    ${"the same object without marks"}          | ${copy()}                                         | ${there(live())}                                              | ${false} | ${"Kept"}      | ${true}
    ${"one more Pod"}                           | ${copy()}                                         | ${there(live(), ["p1", "p2", "p3"])}                          | ${false} | ${"Kept"}      | ${true}
    ${"a Pod that has gone"}                    | ${copy()}                                         | ${there(live(), ["p1", "p3"])}                                | ${false} | ${"Failed"}    | ${false}
    ${"Pods replaced by a roll-out"}            | ${copy({ ...restored, rollsOut: true })}          | ${there(live(), ["p3"])}                                      | ${false} | ${"Restored"}  | ${true}
    ${"another object of the name"}             | ${copy()}                                         | ${there(live("u2"))}                                          | ${false} | ${"Failed"}    | ${false}
    ${"a mark that is left"}                    | ${copy()}                                         | ${there(live("u1", { labels: { [MANAGED_LABEL]: "true" } }))} | ${false} | ${"Failed"}    | ${false}
    ${"an object that has gone"}                | ${copy()}                                         | ${empty}                                                      | ${false} | ${"Failed"}    | ${false}
    ${"values of before"}                       | ${copy(restored)}                                 | ${there(live())}                                              | ${false} | ${"Restored"}  | ${true}
    ${"values that are not those of before"}    | ${copy(restored)}                                 | ${there(live("u1", {}, { a: "2" }))}                          | ${false} | ${"Failed"}    | ${false}
    ${"a change by somebody, nothing restored"} | ${copy()}                                         | ${there(live("u1", {}, { a: "2" }))}                          | ${false} | ${"Kept"}      | ${true}
    ${"a Work that stays"}                      | ${copy()}                                         | ${there(live())}                                              | ${true}  | ${"Failed"}    | ${false}
    ${"a silent member with a Work"}            | ${copy({ fate: "unknown" })}                      | ${silent}                                                     | ${true}  | ${"Pending"}   | ${false}
    ${"a silent member without one"}            | ${copy({ fate: "unknown" })}                      | ${silent}                                                     | ${false} | ${"Unproven"}  | ${false}
    ${"nothing where nothing was"}              | ${copy({ fate: "nothing", sighting: undefined })} | ${empty}                                                      | ${false} | ${"NotThere"}  | ${true}
    ${"somebody else's object"}                 | ${copy({ fate: "leave" })}                        | ${there(live())}                                              | ${false} | ${"Untouched"} | ${true}
    ${"a copy whose template had gone before"}  | ${copy({ work: undefined, sighting: undefined })} | ${there(live("u9"), [])}                                      | ${false} | ${"Kept"}      | ${true}
  `("says $outcome for $what", ({ copy: one, visit, isHeld, outcome, proven }: Row) => {
    expect(prove({ copy: one, visit, isHeld, remembered: undefined })).toMatchObject({ outcome, proven });
  });

  it.each`
    what                            | copy                   | why
    ${"that its template had gone"} | ${{ work: undefined }} | ${"the template had gone already"}
    ${"that it was not there"}      | ${{ fate: "nothing" }} | ${"it was not there when this began"}
    ${"that nobody could look"}     | ${{ fate: "unknown" }} | ${"the member did not answer when this began"}
  `(
    "says of a copy that nobody saw before $what",
    ({ copy: changes, why }: { copy: Partial<Foreseen>; why: string }) => {
      const unseen = copy({ ...changes, sighting: undefined });
      const { proven, remark } = prove({ copy: unseen, visit: there(live()), isHeld: false, remembered: undefined });
      expect([proven, remark]).toEqual([true, `proven by the absence of marks alone: ${why}`]);
    },
  );

  it("knows what an earlier run has seen", () => {
    const remembered = { key: objectKey(manifest), cluster: "m1", uid: "u1", pods: ["p1"] };
    const gone = copy({ work: undefined });
    expect(prove({ copy: gone, visit: there(live("u2")), isHeld: false, remembered }).outcome).toBe("Failed");
    expect(prove({ copy: gone, visit: there(live()), isHeld: false, remembered }).uid?.before).toBe("u1");
  });
});

describe("marksOn", () => {
  it("finds our fields, and none in the entry that a farewell leaves", () => {
    const entry = (fieldsV1: Readonly<Record<string, unknown>>) => ({
      manager: "holdfast",
      operation: "Apply",
      fieldsV1,
    });
    expect(marksOn(live("u1", { managedFields: [entry({ "f:data": { "f:a": {} } })] }))).toEqual(["managedFields"]);
    expect(marksOn(live("u1", { managedFields: [entry({ "f:metadata": {} })] }))).toEqual([]);
  });
});

interface Row {
  readonly copy: Foreseen;
  readonly visit: Parameters<typeof prove>[0]["visit"];
  readonly isHeld: boolean;
  readonly outcome: Outcome;
  readonly proven: boolean;
}
