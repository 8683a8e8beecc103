// Does one object get what was ordered, however often its controllers write to it meanwhile?
import { describe, expect, it } from "vitest";
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { farewell } from "./farewell.js";
import type { Origin } from "./origin.js";
import type { Before } from "./snapshots.js";
import { isOurs, withMarks } from "./plan.js";
import type { Order } from "../../lib/domain/work-word.js";

const manifest: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cfg", namespace: "shop" } };
const work = (status?: Work["status"]): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "cfg", namespace: "karmada-es-east" },
  spec: { workload: { manifests: [manifest] } },
  status,
});

const OURS = { manager: "holdfast", operation: "Apply", fieldsV1: { "f:data": { "f:a": {} } } };
const KEPT: Before = new Map([["u", { ...manifest, metadata: { ...manifest.metadata, uid: "u" } }]]);

interface World {
  readonly writes?: number;
  readonly answers?: number;
  /** Of an object that is not ours. */
  readonly metadata?: object;
}

/** A member with one object of ours; `writes`: how often somebody writes to it between our look and our write. */
function memberWith({ writes = 0, answers = 422, metadata }: World = {}) {
  const marked = metadata
    ? { ...manifest, metadata: { ...manifest.metadata, ...metadata } }
    : withMarks(manifest, work());
  let revision = 1;
  let live: KubeObject | undefined = { ...marked, metadata: { ...marked.metadata, uid: "u" } };
  const sent: string[] = [];

  function read(): KubeObject | undefined {
    sent.push("read");
    const seen = live && { ...live, metadata: { ...live.metadata, resourceVersion: String(revision) } };
    if (writes-- > 0) revision += 1;
    return seen;
  }

  function write(verb: string, expected: unknown): void {
    sent.push(verb);
    if (expected !== String(revision)) throw new KubeError(answers, "Invalid", "it was changed");
  }

  const collection = {
    store: { remove() {} },
    delete(_object: KubeObject, { resourceVersion }: { resourceVersion: string }) {
      write("delete", resourceVersion);
      live = undefined;
      return true;
    },
    client: {
      find: () => Promise.resolve(read()),
      jsonPatch(_name: unknown, patch: readonly { path: string; value?: unknown }[]) {
        write("patch", patch.find(({ path }) => path === "/metadata/resourceVersion")?.value);
        live = { ...manifest, metadata: { ...manifest.metadata, uid: "u" } };
      },
    },
  };
  const resource = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
  const member = { name: "east", discovery: { find: () => resource }, objects: () => collection } as unknown as Member;
  return { member, sent, state: () => (!live ? "gone" : isOurs(live, work()) ? "ours" : "released") };
}

interface Known {
  readonly witnessed?: Origin;
  readonly status?: Work["status"];
  readonly before?: Before;
}

function letGo(member: Member, order: Order, known: Known = {}) {
  const told: string[] = [];
  const events = { warning: (_about: object, reason: string, note: string) => told.push(`${reason}: ${note}`) };
  const deps = { events, metrics: { preserved: { inc() {} } } } as unknown as Dependencies;
  const { status, witnessed, before = new Map() } = known;
  const snapshots = [...before.keys()].map(uid => ({ spec: { uid } }) as AdoptionSnapshot);
  const request = { work: work(status), manifest, member, order, witnessed, before, snapshots };
  return farewell(deps)(request).then(step => ({ step, told }));
}

const recorded = (origin: Origin["origin"], uid = "u"): Work["status"] => ({
  manifestStatuses: [
    {
      identifier: { ordinal: 0, version: "v1", kind: "ConfigMap", resource: "", namespace: "shop", name: "cfg" },
      uid,
      origin,
    },
  ],
});

describe("letGoOf", () => {
  it.each`
    given                                     | order        | known                                             | state
    ${"an order to keep"}                     | ${"keep"}    | ${{}}                                             | ${"released"}
    ${"an order to delete"}                   | ${"delete"}  | ${{ status: recorded("Adopted") }}                | ${"gone"}
    ${"what was there before"}                | ${"adopted"} | ${{ status: recorded("Adopted") }}                | ${"released"}
    ${"what we made"}                         | ${"adopted"} | ${{ status: recorded("Created") }}                | ${"gone"}
    ${"what we made and have not told yet"}   | ${"adopted"} | ${{ witnessed: { uid: "u", origin: "Created" } }} | ${"gone"}
    ${"another one in place of what we made"} | ${"adopted"} | ${{ status: recorded("Created", "before") }}      | ${"released"}
    ${"what nothing is known of"}             | ${"adopted"} | ${{}}                                             | ${"released"}
  `("leaves $given $state", async ({ order, known, state }) => {
    const world = memberWith();
    const { step } = await letGo(world.member, order as Order, known as Known);
    expect({ step, state: world.state() }).toEqual({ step: "done", state });
  });

  it("keeps, under an order by origin, what is in a snapshot that nobody can read", async () => {
    const world = memberWith();
    const before = new Map([["u", undefined]]);
    await letGo(world.member, "adopted", { before, status: recorded("Created") });
    expect(world.state()).toBe("released");
  });

  it.each`
    given                                                    | metadata                                                           | before       | verbs
    ${"an adoption that was begun and not done"}             | ${{ managedFields: [OURS] }}                                       | ${KEPT}      | ${["read", "patch"]}
    ${"one that was begun, where another Work holds it now"} | ${{ managedFields: [OURS], labels: { [WORK_ID_LABEL]: "other" } }} | ${KEPT}      | ${["read"]}
    ${"an object that was kept and not touched"}             | ${{}}                                                              | ${KEPT}      | ${["read"]}
    ${"an object of others"}                                 | ${{ managedFields: [OURS] }}                                       | ${new Map()} | ${["read"]}
  `("answers a deletion with $verbs for $given", async ({ metadata, before, verbs }) => {
    const world = memberWith({ metadata: metadata as object });
    await letGo(world.member, "delete", { before: before as Before });
    expect(world.sent).toEqual(verbs);
  });

  it("says that an object stays for doubt alone, and only then", async () => {
    const doubtful = await letGo(memberWith().member, "adopted");
    expect(doubtful.told).toEqual([
      "ResourcesLeftBehind: ConfigMap shop/cfg in cluster east stays: whether it was there before is not known",
    ]);
    expect((await letGo(memberWith().member, "adopted", { status: recorded("Adopted") })).told).toEqual([]);
  });

  it.each`
    order       | answers | verb
    ${"keep"}   | ${422}  | ${"patch"}
    ${"delete"} | ${409}  | ${"delete"}
  `("reads it anew at once when a $verb was overtaken", async ({ order, answers, verb }) => {
    const world = memberWith({ writes: 2, answers: answers as number });
    await letGo(world.member, order as Order);
    expect(world.sent).toEqual(["read", verb, "read", verb, "read", verb]);
    expect(world.state()).not.toBe("ours");
  });

  it("gives up, and is tried again later, when the object never stands still", async () => {
    const world = memberWith({ writes: 99 });
    await expect(letGo(world.member, "keep")).rejects.toThrow("it was changed");
    expect(world.sent.filter(verb => verb === "patch")).toHaveLength(5);
  });

  it("tries nothing again at once when the member refuses for another reason", async () => {
    const world = memberWith({ writes: 99, answers: 403 });
    await expect(letGo(world.member, "keep")).rejects.toThrow("it was changed");
    expect(world.sent).toEqual(["read", "patch"]);
  });
});
