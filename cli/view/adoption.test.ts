// Is it told rightly whose an object is?
import { describe, expect, it } from "vitest";
import { adoptionOf, objectKey, wantedBy } from "./adoption.js";
import { configMap, liveOf, workFor } from "./samples.js";

const settings = configMap("settings");
const adopted = workFor(settings, { uid: "u1", origin: "Adopted" });
const created = workFor(settings, { uid: "u1", origin: "Created" });
const unknown = workFor(settings, { uid: "u1", origin: "Unknown" });

describe("adoptionOf", () => {
  it.each`
    given                                         | live                     | work                 | adoption
    ${"an object that was there before its Work"} | ${liveOf(adopted, "u1")} | ${adopted}           | ${"Adopted"}
    ${"an object that its Work has made"}         | ${liveOf(created, "u1")} | ${created}           | ${"Created"}
    ${"an object of which nobody knows"}          | ${liveOf(unknown, "u1")} | ${unknown}           | ${"<unknown>"}
    ${"another object than the one on record"}    | ${liveOf(created, "u2")} | ${created}           | ${"<unknown>"}
    ${"an object with our marks and no record"}   | ${liveOf(created, "u1")} | ${workFor(settings)} | ${"<unknown>"}
    ${"an object that its Work may not touch"}    | ${configMap("settings")} | ${created}           | ${"Foreign"}
    ${"an object that no Work wants"}             | ${liveOf(created, "u1")} | ${undefined}         | ${"Foreign"}
    ${"nothing where something should be"}        | ${undefined}             | ${created}           | ${"Missing"}
  `("says $adoption of $given", ({ live, work, adoption }) => {
    const wanted = work && wantedBy([work]).get(objectKey(settings));
    expect(adoptionOf(live, wanted)).toBe(adoption);
  });
});

describe("wantedBy", () => {
  it("leaves out Works that are leaving", () => {
    const leaving = { ...created, metadata: { ...created.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect([...wantedBy([leaving]).keys()]).toEqual([]);
  });

  it("takes an object of another version of its kind for the same", () => {
    const beta = { ...settings, apiVersion: "v1beta1" };
    expect(objectKey(beta)).toBe(objectKey(settings));
  });
});
