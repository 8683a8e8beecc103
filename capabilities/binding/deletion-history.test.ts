// Is a template's deletion found in its past, and nothing read into a past that is gone?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { deletionOf, lastLeaving } from "./deletion-history.js";

const state = (resourceVersion: string, finalizers: readonly string[], deleted = true, uid = "u"): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    ...{ name: "cfg", namespace: "shop", uid, resourceVersion, finalizers },
    ...(deleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
  },
});

/** A server that knows the states from `oldest` on; each holds until the next one's revision. */
function serverWith(states: readonly KubeObject[], oldest = 0) {
  const asked: string[] = [];
  const list = async (query: Readonly<Record<string, unknown>> = {}) => {
    const revision = Number(query["resourceVersion"]);
    asked.push(`${String(query["resourceVersionMatch"])} ${revision} ${String(query["fieldSelector"])}`);
    if (revision < oldest) throw new KubeError(410, "Expired", "compacted");
    const then = states.filter(s => Number(s.metadata.resourceVersion) <= revision).at(-1);
    return { items: then ? [then] : [], resourceVersion: String(revision) };
  };
  return { asked, client: { list } as Parameters<typeof deletionOf>[0] };
}

const OURS = "holdfast.dev/let-go";
const alive = state("10", [OURS], false);
const orphaning = state("20", [OURS, "orphan"]);
const collected = state("21", [OURS]);
const touched = state("30", [OURS]);
const plain = state("20", [OURS]);

describe("deletionOf", () => {
  it.each`
    given                                               | states                                        | oldest | revision | orphaned | certain
    ${"the collector has just taken the finalizer off"} | ${[alive, orphaning, collected]}              | ${0}   | ${"20"}  | ${true}  | ${true}
    ${"somebody wrote to the template after that"}      | ${[alive, orphaning, collected, touched]}     | ${0}   | ${"20"}  | ${true}  | ${true}
    ${"the finalizer is still there, and no history"}   | ${[alive, orphaning]}                         | ${99}  | ${"20"}  | ${true}  | ${false}
    ${"an ordinary deletion"}                           | ${[alive, plain]}                             | ${0}   | ${"20"}  | ${false} | ${true}
    ${"an ordinary deletion, and a write after it"}     | ${[alive, plain, touched]}                    | ${0}   | ${"20"}  | ${false} | ${true}
    ${"a template whose namesake was there before"}     | ${[state("5", ["orphan"], true, "x"), plain]} | ${0}   | ${"20"}  | ${false} | ${true}
    ${"a history that has been compacted away"}         | ${[alive, orphaning, collected]}              | ${21}  | ${"21"}  | ${false} | ${false}
  `("is at $revision for $given", async ({ states, oldest, revision, orphaned, certain }) => {
    const { client } = serverWith(states as KubeObject[], oldest as number);
    const deletion = await deletionOf(client, (states as KubeObject[]).at(-1) ?? alive);
    expect(deletion).toMatchObject({ orphaned, certain });
    expect(deletion.template.metadata.resourceVersion).toBe(revision);
  });

  it("asks for exactly the revision before each write, and for this object only", async () => {
    const { client, asked } = serverWith([alive, orphaning, collected]);
    await deletionOf(client, collected);
    expect(asked).toEqual(["Exact 20 metadata.name=cfg", "Exact 19 metadata.name=cfg"]);
  });

  it("decides nothing when the server does not answer", async () => {
    const client = { list: () => Promise.reject(new KubeError(0, "", "refused")) };
    await expect(deletionOf(client, plain)).rejects.toThrow("refused");
  });
});

describe("lastLeaving", () => {
  /** Gone at 40: nothing of the name is there from then on. */
  function serverWithout(states: readonly KubeObject[], oldest: number) {
    const { client, asked } = serverWith(states, oldest);
    const list = async (query: Query = {}) =>
      Number(query["resourceVersion"]) >= 40 ? { items: [], resourceVersion: "" } : client.list(query);
    return { asked, client: { list } as typeof client };
  }
  it.each`
    given                                                  | states                              | oldest | revisions             | found
    ${"something was written while it was on its way out"} | ${[alive, plain]}                   | ${0}   | ${["15", "25", "45"]} | ${"20"}
    ${"all was written after it had gone, or before"}      | ${[alive, plain]}                   | ${0}   | ${["15", "45"]}       | ${undefined}
    ${"everything was written after it had gone"}          | ${[alive, plain]}                   | ${0}   | ${["45"]}             | ${undefined}
    ${"that is past reading"}                              | ${[alive, plain]}                   | ${30}  | ${["25"]}             | ${undefined}
    ${"another one bore its name"}                         | ${[state("20", [OURS], true, "x")]} | ${0}   | ${["25"]}             | ${undefined}
    ${"nothing has a revision"}                            | ${[alive, plain]}                   | ${0}   | ${[undefined]}        | ${undefined}
  `("finds $found when $given", async ({ states, oldest, revisions, found }) => {
    const { client } = serverWithout(states as KubeObject[], oldest as number);
    const last = await lastLeaving(client, { namespace: "shop", name: "cfg", uid: "u" }, revisions as string[]);
    expect(last?.metadata.resourceVersion).toBe(found);
  });
});
