// Is an object deleted for its origin only when it is certain that we made it?
import { describe, expect, it } from "vitest";
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { ManifestStatus, Work } from "../../crds/work.js";
import { adoptedCondition, fateOf, originOf, recordedOrigin, type Origin } from "./origin.js";

const live: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", uid: "u" },
};
const created: Origin = { uid: "u", origin: "Created" };
const adopted: Origin = { uid: "u", origin: "Adopted" };
const snapshotOf = (uid: string, partial = false) => ({ spec: { uid, partial } }) as AdoptionSnapshot;
const earlier: Origin = { uid: "before", origin: "Created" };

describe("originOf", () => {
  it.each`
    given                                               | witnessed    | recorded                         | snapshot     | origin
    ${"an object that we have just made"}               | ${created}   | ${undefined}                     | ${undefined} | ${"Created"}
    ${"an object that we made before a restart"}        | ${undefined} | ${created}                       | ${undefined} | ${"Created"}
    ${"an object that was taken over before a restart"} | ${undefined} | ${adopted}                       | ${undefined} | ${"Adopted"}
    ${"one made again by us after its adoption"}        | ${created}   | ${{ ...adopted, uid: "before" }} | ${"before"}  | ${"Created"}
    ${"one that somebody else put in place of ours"}    | ${undefined} | ${earlier}                       | ${undefined} | ${"Unknown"}
    ${"one taken over in place of ours, in a crash"}    | ${earlier}   | ${earlier}                       | ${"u"}       | ${"Adopted"}
    ${"one with a snapshot, whatever is on record"}     | ${created}   | ${created}                       | ${"u"}       | ${"Adopted"}
    ${"one of which nothing is known"}                  | ${undefined} | ${undefined}                     | ${undefined} | ${"Unknown"}
  `("is $origin for $given", ({ witnessed, recorded, snapshot, origin }) => {
    const snapshots = snapshot ? [snapshotOf(snapshot as string)] : [];
    const evidence = { witnessed: witnessed as Origin, recorded: recorded as Origin, snapshots };
    expect(originOf(live, evidence)).toEqual({ uid: "u", origin });
  });

  it("is unknown for what has no uid", () => {
    const nobody = { ...live, metadata: { name: "cfg" } };
    const witnessed: Origin = { uid: "", origin: "Created" };
    expect(originOf(nobody, { witnessed, recorded: undefined, snapshots: [] }).origin).toBe("Unknown");
  });
});

describe("fateOf", () => {
  it.each`
    order        | origin       | fate
    ${"keep"}    | ${"Created"} | ${{ action: "keep" }}
    ${"keep"}    | ${"Unknown"} | ${{ action: "keep" }}
    ${"restore"} | ${"Created"} | ${{ action: "keep" }}
    ${"restore"} | ${"Adopted"} | ${{ action: "keep" }}
    ${"delete"}  | ${"Adopted"} | ${{ action: "delete" }}
    ${"delete"}  | ${"Unknown"} | ${{ action: "delete" }}
    ${"adopted"} | ${"Adopted"} | ${{ action: "keep" }}
    ${"adopted"} | ${"Created"} | ${{ action: "delete" }}
    ${"adopted"} | ${"Unknown"} | ${{ action: "keep", doubt: true }}
  `("answers order $order with $fate for an object that is $origin", ({ order, origin, fate }) => {
    expect(fateOf(order as "keep", origin as "Created")).toEqual(fate);
  });
});

function status(name: string, origin?: ManifestStatus["origin"], more: object = {}): ManifestStatus {
  const identifier = { ordinal: 0, version: "v1", kind: "ConfigMap", resource: "", namespace: "shop", name, ...more };
  return { identifier, ...(origin ? { uid: "u", origin } : {}) };
}

const workWith = (...manifestStatuses: ManifestStatus[]) => ({ status: { manifestStatuses } }) as unknown as Work;

describe("recordedOrigin", () => {
  it.each`
    given                                      | work                                                            | origin
    ${"its own record"}                        | ${workWith(status("cfg", "Adopted"))}                           | ${adopted}
    ${"its record in another place"}           | ${workWith(status("x", "Created"), status("cfg", "Adopted"))}   | ${adopted}
    ${"the record of a namesake's kind"}       | ${workWith(status("cfg", "Adopted", { group: "example.com" }))} | ${undefined}
    ${"a status of before there were records"} | ${workWith(status("cfg"))}                                      | ${undefined}
    ${"a Work without a status"}               | ${{}}                                                           | ${undefined}
  `("is read from $given", ({ work, origin }) => {
    expect(recordedOrigin(work as Work, live)).toEqual(origin);
  });
});

describe("adoptedCondition", () => {
  it.each`
    statuses                                            | is
    ${[status("a", "Adopted")]}                         | ${{ status: "True", reason: "WasThereBefore", message: "ConfigMap a was there before and was taken over" }}
    ${[status("a", "Created")]}                         | ${{ status: "False", reason: "MadeByUs", message: "ConfigMap a was made by this Work" }}
    ${[status("a", "Unknown")]}                         | ${{ status: "Unknown", reason: "NoRecord" }}
    ${[status("a", "Created"), status("b", "Adopted")]} | ${{ status: "Unknown", reason: "SomeWereThereBefore" }}
    ${[status("a"), status("b", "Created")]}            | ${{ status: "False" }}
  `("says $is.status", ({ statuses, is }) => {
    expect(adoptedCondition(statuses as ManifestStatus[], [], 3)).toMatchObject({
      type: "Adopted",
      observedGeneration: 3,
      ...(is as object),
    });
  });

  it("says what cannot be restored", () => {
    const statuses = [status("a", "Adopted")];
    const message = (...snapshots: AdoptionSnapshot[]) => adoptedCondition(statuses, snapshots, 3)?.message;

    expect(message(snapshotOf("u", true))).toContain("too large to be kept as it was");
    expect(message(snapshotOf("u"))).not.toContain("too large");
    expect(message(snapshotOf("before", true))).not.toContain("too large");
  });

  it("says nothing while nothing is known", () => {
    expect(adoptedCondition([status("a")], [], 3)).toBeUndefined();
  });
});
