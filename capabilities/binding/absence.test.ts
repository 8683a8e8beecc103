// When may a Work take what its template left behind for gone?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { Host } from "../../lib/kube/host.js";
import { Absences, removeLeftovers } from "./absence.js";

const ref = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" };

function hostWith({
  seenDeleted = false,
  live,
  served = true,
}: {
  seenDeleted?: boolean;
  live?: string;
  served?: boolean;
}) {
  const found = live === undefined ? undefined : ({ metadata: { name: "cfg", uid: live } } as KubeObject);
  const collection = { store: { wasDeleted: () => seenDeleted }, client: { find: async () => found } };
  return { templates: { of: () => (served ? collection : undefined) } } as unknown as Pick<Host, "templates">;
}

describe("Absences", () => {
  it.each`
    given                                    | state                    | atOnce   | later
    ${"a deletion that was seen"}            | ${{ seenDeleted: true }} | ${true}  | ${true}
    ${"nothing found, and nothing seen"}     | ${{}}                    | ${false} | ${true}
    ${"another object of that name"}         | ${{ live: "other" }}     | ${false} | ${true}
    ${"the very object"}                     | ${{ live: "uid" }}       | ${false} | ${false}
    ${"a kind that the host does not serve"} | ${{ served: false }}     | ${false} | ${false}
  `("is certain of $given: at once $atOnce, later $later", async ({ state, atOnce, later }) => {
    let now = 0;
    const absences = new Absences(hostWith(state as object), () => now);
    expect(await absences.isCertain(ref, "uid")).toBe(atOnce);
    now = 30_000;
    expect(await absences.isCertain(ref, "uid")).toBe(later);
  });

  it("starts to count anew when the object was there in between", async () => {
    let now = 0;
    const state = { live: "other" };
    const host = {
      templates: {
        of: () => ({
          store: { wasDeleted: () => false },
          client: { find: async () => ({ metadata: { uid: state.live } }) },
        }),
      },
    };
    const absences = new Absences(host as unknown as Pick<Host, "templates">, () => now);
    await absences.isCertain(ref, "uid");
    now = 15_000;
    state.live = "uid";
    await absences.isCertain(ref, "uid");
    state.live = "other";
    now = 30_000;
    expect(await absences.isCertain(ref, "uid")).toBe(false);
  });
});

describe("removeLeftovers", () => {
  it("deletes what is certainly left over, and says that the rest waits", async () => {
    const deleted: string[] = [];
    const works = { delete: async (work: Work) => deleted.push(work.metadata.name) };
    const work = (name: string, uid?: string, deletionTimestamp?: string) =>
      ({
        metadata: { name, deletionTimestamp, annotations: uid ? { [TEMPLATE_UID_ANNOTATION]: uid } : {} },
        spec: {},
      }) as Work;
    const list = [work("gone", "a"), work("unsure", "b"), work("unknown"), work("leaving", "a", "now")];
    const absences = { isCertain: async (_ref: unknown, uid: string) => uid === "a" };

    const waits = await removeLeftovers({ works } as unknown as Pick<Host, "works">, absences, ref, list);

    expect(deleted).toEqual(["gone"]);
    expect(waits).toBe(true);
  });
});
