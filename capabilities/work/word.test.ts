// Is a Work's own word read as it was meant, and does keep win where it contradicts itself?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, ORDER_ANNOTATION, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { writtenOrder } from "../../lib/domain/work-word.js";
import { isStandalone, ownOrder } from "./word.js";

const work = (metadata: object = {}, spec: object = {}): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "web", namespace: "karmada-es-m1", ...metadata },
  spec,
});
const ordered = (order: string) => work({ annotations: { [ORDER_ANNOTATION]: order } });

describe("isStandalone", () => {
  it.each`
    given                      | labels                     | answer
    ${"a Work made by hand"}   | ${{ team: "blue" }}        | ${true}
    ${"a binding's Work"}      | ${{ [RB_ID_LABEL]: "b" }}  | ${false}
    ${"a wide binding's Work"} | ${{ [CRB_ID_LABEL]: "b" }} | ${false}
  `("is $answer for $given", ({ labels, answer }) => {
    expect(isStandalone(work({ labels: labels as object }))).toBe(answer);
  });
});

describe("writtenOrder", () => {
  it.each`
    given                        | on                     | answer
    ${"a Work without an order"} | ${work()}              | ${undefined}
    ${"an order to keep"}        | ${ordered("keep")}     | ${"keep"}
    ${"an order to delete"}      | ${ordered("delete")}   | ${"delete"}
    ${"an order by origin"}      | ${ordered("adopted")}  | ${"adopted"}
    ${"an order in other words"} | ${ordered("orphan")}   | ${undefined}
    ${"a word of JavaScript"}    | ${ordered("toString")} | ${undefined}
  `("is $answer for $given", ({ on, answer }) => {
    expect(writtenOrder(on as Work)).toBe(answer);
  });
});

describe("ownOrder", () => {
  it.each`
    cascadeDeletion | preserve     | answer
    ${undefined}    | ${undefined} | ${"delete"}
    ${undefined}    | ${false}     | ${"delete"}
    ${undefined}    | ${true}      | ${"keep"}
    ${"orphan"}     | ${undefined} | ${"keep"}
    ${"orphan"}     | ${false}     | ${"keep"}
    ${"orphan"}     | ${true}      | ${"keep"}
    ${"background"} | ${undefined} | ${"delete"}
    ${"background"} | ${false}     | ${"delete"}
    ${"background"} | ${true}      | ${"keep"}
    ${"adopted"}    | ${undefined} | ${"adopted"}
    ${"adopted"}    | ${false}     | ${"adopted"}
    ${"adopted"}    | ${true}      | ${"adopted"}
    ${"toString"}   | ${false}     | ${"keep"}
  `(
    "is $answer for cascadeDeletion $cascadeDeletion and preserve $preserve",
    ({ cascadeDeletion, preserve, answer }) => {
      expect(ownOrder(work({}, { cascadeDeletion, preserveResourcesOnDeletion: preserve }))).toBe(answer);
    },
  );
});
