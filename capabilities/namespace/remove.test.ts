// Does somebody who comes at the last moment keep a namespace from being deleted?
import { describe, expect, it } from "vitest";
import { KubeError } from "../../lib/kube/errors.js";
import type { Contents } from "../../lib/kube/namespace-contents.js";
import { removeEmpty } from "./remove.js";

const settings = { groupKind: "/ConfigMap", metadata: { name: "settings", uid: "1" } };

/** A member that answers so, and remembers what it was asked in which order. */
function member(contents: Contents, refusal?: KubeError) {
  const asked: string[] = [];
  return {
    asked,
    lookAgain() {
      asked.push("look");
      return Promise.resolve(contents);
    },
    delete() {
      asked.push("delete");
      return refusal ? Promise.reject(refusal) : Promise.resolve();
    },
  };
}

describe("removeEmpty", () => {
  it("looks first and deletes then", async () => {
    const empty = member({ occupants: [] });

    expect(await removeEmpty(empty)).toMatchObject({ outcome: "deleted" });
    expect(empty.asked).toEqual(["look", "delete"]);
  });

  it.each`
    contents                                  | sentence
    ${{ occupants: [settings] }}              | ${"somebody has come since the first look"}
    ${{ occupants: [], hidden: "no answer" }} | ${"not everything can be seen any more"}
  `("does not delete when $sentence", async ({ contents }: { contents: Contents }) => {
    const occupied = member(contents);

    expect(await removeEmpty(occupied)).toEqual({ outcome: "occupied" });
    expect(occupied.asked).toEqual(["look"]);
  });

  it("says why a member refuses, and does not take another namespace for the one it saw", async () => {
    const refused = new KubeError(403, "Forbidden", "not you");
    const changed = new KubeError(409, "Conflict", "written to since");

    expect(await removeEmpty(member({ occupants: [] }, refused))).toEqual({ outcome: "refused", why: "not you" });
    await expect(removeEmpty(member({ occupants: [] }, changed))).rejects.toBe(changed);
  });
});
