// Is the past of an object found again, and is it said when it cannot be?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Query } from "./client.js";
import { KubeError } from "./errors.js";
import { atDeletion, FORGOTTEN, firstSuchState, listAt, runOf, stateAt } from "./history.js";

function version(revision: number, word: string, going = false, uid = "1"): KubeObject {
  const metadata = { name: "web", namespace: "shop", uid, resourceVersion: String(revision), annotations: { word } };
  const deletion = going ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, ...deletion } };
}

/** A server that has these versions, each until the next one, and remembers nothing from before `compacted`. */
function server(versions: readonly KubeObject[], compacted = 0) {
  const asked: (readonly [query: Query, namespace?: string])[] = [];
  const list = (query: Query = {}, namespace?: string) => {
    asked.push([query, namespace]);
    const revision = Number(query["resourceVersion"]);
    if (revision < compacted) return Promise.reject(new KubeError(410, "Expired", "too old"));
    const known = versions.filter(({ metadata }) => Number(metadata.resourceVersion) <= revision);
    return Promise.resolve({ items: known.slice(-1), resourceVersion: String(revision) });
  };
  return { list, asked };
}

const silent = { list: () => Promise.reject(new KubeError(0, "", "no answer")) };

const life = [version(5, "a"), version(9, "b"), version(12, "b"), version(20, "b")];
const present = version(20, "b");
const saysB = ({ metadata }: KubeObject) => metadata.annotations?.["word"] === "b";
const revisionOf = ({ metadata }: KubeObject) => metadata.resourceVersion;

describe("runOf", () => {
  it.each`
    given                                     | versions                                           | compacted | revisions            | before
    ${"a state that was otherwise"}           | ${life}                                            | ${0}      | ${["20", "12", "9"]} | ${"other"}
    ${"an object that was made so"}           | ${life.slice(1)}                                   | ${0}      | ${["20", "12", "9"]} | ${"none"}
    ${"a namesake before it"}                 | ${[version(7, "b", false, "0"), ...life.slice(1)]} | ${0}      | ${["20", "12", "9"]} | ${"none"}
    ${"a server that has forgotten the rest"} | ${life}                                            | ${12}     | ${["20", "12"]}      | ${"unknown"}
    ${"a server that has forgotten all"}      | ${life}                                            | ${99}     | ${["20"]}            | ${"unknown"}
    ${"the first revision there ever was"}    | ${[version(1, "b"), version(20, "b")]}             | ${0}      | ${["20", "1"]}       | ${"unknown"}
  `("ends at $before for $given", async ({ versions, compacted, revisions, before }) => {
    const run = await runOf(server(versions as KubeObject[], compacted as number), present, saysB);

    expect({ revisions: run.states.map(revisionOf), before: run.before }).toEqual({ revisions, before });
  });

  it("asks for exactly the revision before each write, and for this object only", async () => {
    const { list, asked } = server(life.slice(2));

    await runOf({ list }, present, saysB);

    const of = { resourceVersionMatch: "Exact", fieldSelector: "metadata.name=web" };
    expect(asked).toEqual([
      [{ ...of, resourceVersion: "19" }, "shop"],
      [{ ...of, resourceVersion: "11" }, "shop"],
    ]);
  });

  it("does not follow a quarrel for ever", async () => {
    const quarrel = Array.from({ length: 40 }, (_, i) => version(i + 1, "b"));
    const { list, asked } = server(quarrel);

    expect(await runOf({ list }, version(40, "b"), saysB)).toMatchObject({ before: "unknown" });
    expect(asked).toHaveLength(16);
  });

  it("passes on that nobody answered", async () => {
    await expect(runOf(silent, present, saysB)).rejects.toThrow("no answer");
  });
});

describe("firstSuchState", () => {
  it("is the last one that the walk back has found", async () => {
    expect(await firstSuchState(server(life), present, saysB)).toEqual({ state: life[1], before: "other" });
  });
});

describe("atDeletion", () => {
  const end = [version(5, "first"), version(9, "last", true), version(12, "late", true), version(20, "later", true)];
  const now = version(20, "later", true);

  it("finds what was said when the deletion was accepted", async () => {
    expect(await atDeletion(server(end), now)).toEqual({ state: end[1], before: "other" });
  });

  it("takes an object that was never written to since as it is", async () => {
    const deleted = version(9, "last", true);

    expect(await atDeletion(server(end.slice(0, 2)), deleted)).toEqual({ state: deleted, before: "other" });
  });

  it("does not take a namesake from before for it", async () => {
    const [namesake, deleted] = [version(7, "other", true, "0"), version(9, "last", true)];

    expect(await atDeletion(server([namesake, deleted]), deleted)).toEqual({ state: deleted, before: "none" });
  });

  it.each([1, 2, 3, 17, 500])("finds it behind %s writes since, by a few requests", async writes => {
    const since = Array.from({ length: writes }, (_, n) => version(9 + (n + 1) * 3, "late", true));
    const host = server([version(5, "first"), version(9, "last", true), ...since]);
    const last = since.at(-1) ?? now;

    expect(await atDeletion(host, last)).toEqual({ state: version(9, "last", true), before: "other" });
    expect(host.asked.length).toBeLessThan(Math.min(writes, 16) + 2 * Math.log2(3 * writes) + 4);
  });

  it("finds it where the server has forgotten what was before, and a moment later has not", async () => {
    const host = server([version(5, "first"), version(9, "last", true), version(40, "late", true)], 8);

    expect(await atDeletion(host, version(40, "late", true))).toEqual({
      state: version(9, "last", true),
      before: "other",
    });
  });

  it("says when the server has forgotten", async () => {
    expect(await atDeletion(server(end, 15), now)).toMatchObject({ before: "unknown" });
  });
});

describe("stateAt", () => {
  it.each`
    given                                      | versions                                           | revision     | found
    ${"a revision between two writes"}         | ${life}                                            | ${"10"}      | ${life[1]}
    ${"one from before it was made"}           | ${life}                                            | ${"4"}       | ${undefined}
    ${"one when another object bore its name"} | ${[version(7, "b", false, "0"), ...life.slice(1)]} | ${"8"}       | ${undefined}
    ${"no revision"}                           | ${life}                                            | ${undefined} | ${FORGOTTEN}
  `("answers for $given", async ({ versions, revision, found }) => {
    expect(await stateAt(server(versions as KubeObject[]), present, revision as string | undefined)).toEqual(found);
  });

  it.each(["20", "100"])("asks nothing where it is as it was: %s", async revision => {
    expect(await stateAt(silent, present, revision)).toBe(present);
  });
});

describe("listAt", () => {
  it.each([undefined, "", "0", "x"])("does not ask for what is no revision: %s", async revision => {
    expect(await listAt(silent, revision)).toBe(FORGOTTEN);
  });

  it("asks for all of a kind when nothing narrows it", async () => {
    const { list, asked } = server(life);

    await listAt({ list }, "10");

    expect(asked).toEqual([[{ resourceVersion: "10", resourceVersionMatch: "Exact" }, undefined]]);
  });

  it.each([400, 410, 504])("takes %i for forgotten", async status => {
    const refusing = { list: () => Promise.reject(new KubeError(status, "", "refused")) };

    expect(await listAt(refusing, "5")).toBe(FORGOTTEN);
  });

  it("passes on that nobody answered", async () => {
    await expect(listAt(silent, "5")).rejects.toThrow("no answer");
  });
});
