// Does the word on an object on its way say how it is, and name it once?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { configMap, workFor } from "../view/samples.js";
import { takenOf, type Taken } from "./taken.js";

const template = configMap("settings");

const tried = (status: "True" | "False", uid?: string): Work => {
  const work = workFor(template, { uid: "w1", origin: "Adopted" });
  const [manifest] = work.status?.manifestStatuses ?? [];
  return {
    ...work,
    status: {
      ...work.status,
      conditions: [
        {
          type: "Applied",
          status,
          reason: "Tried",
          message: "the member says no",
          lastTransitionTime: "2026-01-01T00:00:00Z",
          observedGeneration: work.metadata.generation ?? 0,
        },
      ],
      manifestStatuses: manifest ? [{ ...manifest, uid }] : [],
    },
  };
};

describe("takenOf", () => {
  it.each`
    what                              | work                    | state
    ${"an object without a Work"}     | ${undefined}            | ${"pending"}
    ${"one that the member refuses"}  | ${tried("False", "u1")} | ${"failed"}
    ${"one that is not known by uid"} | ${tried("True")}        | ${"pending"}
    ${"the object of before"}         | ${tried("True", "u1")}  | ${"applied"}
    ${"another object of its name"}   | ${tried("True", "u2")}  | ${"replaced"}
  `("says $state of $what, without its name", ({ work, state }: { work: Work | undefined; state: Taken["state"] }) => {
    const taken = takenOf(work, template, "u1");
    expect(taken.state).toBe(state);
    expect(JSON.stringify(taken)).not.toContain("settings");
  });
});
