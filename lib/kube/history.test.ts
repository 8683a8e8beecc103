// Is the moment of a deletion found again, and is it said when it cannot be?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { KubeError } from "./errors.js";
import { atDeletion, FORGOTTEN, listAt } from "./history.js";

function version(resourceVersion: number, word: string, going: boolean): KubeObject {
  const deletionTimestamp = going ? "2026-01-01T00:00:00Z" : undefined;
  const metadata = { name: "shop", uid: "1", resourceVersion: String(resourceVersion), annotations: { word } };
  return { apiVersion: "v1", kind: "Namespace", metadata: { ...metadata, ...(going && { deletionTimestamp }) } };
}

/** A server that has these versions, and none from before `compacted`. */
function server(versions: readonly KubeObject[], compacted = 0) {
  return {
    list(query: Readonly<Record<string, unknown>> = {}) {
      const revision = Number(query["resourceVersion"]);
      if (revision < compacted) return Promise.reject(new KubeError(410, "Expired", "too old"));
      const known = versions.filter(({ metadata }) => Number(metadata.resourceVersion) <= revision);
      return Promise.resolve({ items: known.slice(-1), resourceVersion: String(revision) });
    },
  };
}

const life = [
  version(5, "first", false),
  version(9, "last", true),
  version(12, "late", true),
  version(20, "later", true),
];
const now = version(20, "later", true);

describe("atDeletion", () => {
  it("finds what was said when the deletion was accepted", async () => {
    expect(await atDeletion(server(life), now)).toEqual(life[1]);
  });

  it("takes an object that was never written to since as it is", async () => {
    expect(await atDeletion(server(life.slice(0, 2)), version(9, "last", true))).toEqual(life[1]);
  });

  it("does not take a namesake from before for it", async () => {
    const namesake = { ...version(7, "other", true), metadata: { ...version(7, "other", true).metadata, uid: "0" } };

    expect(await atDeletion(server([namesake, version(9, "last", true)]), version(9, "last", true))).toEqual(life[1]);
  });

  it("says when the server has forgotten", async () => {
    expect(await atDeletion(server(life, 15), now)).toBe(FORGOTTEN);
  });

  it("does not follow a quarrel for ever", async () => {
    const quarrel = Array.from({ length: 40 }, (_, i) => version(i + 1, "x", true));

    expect(await atDeletion(server(quarrel), version(40, "x", true))).toBe(FORGOTTEN);
  });
});

describe("listAt", () => {
  it.each([undefined, "", "0", "x"])("does not ask for what is no revision: %s", async revision => {
    expect(await listAt(server(life), revision)).toBe(FORGOTTEN);
  });

  it("passes on that nobody answered", async () => {
    const silent = { list: () => Promise.reject(new KubeError(0, "", "no answer")) };

    await expect(listAt(silent, "5")).rejects.toThrow("no answer");
  });
});
