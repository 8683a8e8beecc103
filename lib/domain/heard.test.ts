// Is an edit told from what a status has spoken of, and from a deletion?
import { describe, expect, it } from "vitest";
import { isUnheard, isUnheardEdit } from "./heard.js";

const DELETED = { deletionTimestamp: "2026-01-01T00:00:00Z" };

describe("isUnheard", () => {
  it.each`
    given                                        | generation   | observed     | more       | unheard  | edit
    ${"one that was made and not heard"}         | ${1}         | ${undefined} | ${{}}      | ${true}  | ${false}
    ${"one that was heard"}                      | ${1}         | ${1}         | ${{}}      | ${false} | ${false}
    ${"an edit"}                                 | ${2}         | ${1}         | ${{}}      | ${true}  | ${true}
    ${"an edit of one that nobody ever heard"}   | ${2}         | ${undefined} | ${{}}      | ${true}  | ${true}
    ${"an edit that was heard"}                  | ${2}         | ${2}         | ${{}}      | ${false} | ${false}
    ${"a status that was another one's"}         | ${1}         | ${7}         | ${{}}      | ${true}  | ${false}
    ${"a deletion that was heard too"}           | ${2}         | ${2}         | ${DELETED} | ${false} | ${false}
    ${"a deletion, which counts as generation"}  | ${2}         | ${1}         | ${DELETED} | ${false} | ${false}
    ${"a deletion after an edit"}                | ${3}         | ${1}         | ${DELETED} | ${true}  | ${true}
    ${"a deletion of one that nobody had heard"} | ${2}         | ${undefined} | ${DELETED} | ${true}  | ${false}
    ${"one without generations"}                 | ${undefined} | ${undefined} | ${{}}      | ${false} | ${false}
  `("answers $unheard, and of an edit $edit, for $given", ({ generation, observed, more, unheard, edit }) => {
    const object = {
      apiVersion: "v1",
      kind: "X",
      metadata: { name: "x", generation, ...more },
      status: { observedGeneration: observed },
    };
    expect([isUnheard(object), isUnheardEdit(object)]).toEqual([unheard, edit]);
  });
});
