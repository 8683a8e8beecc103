// Is the past of an object read once, and again when it has changed?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Query } from "./client.js";
import { statesReader } from "./states.js";

const state = (revision: number, generation: number): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", uid: "u", resourceVersion: String(revision), generation },
});

function readerOver(states: readonly KubeObject[]) {
  const asked: string[] = [];
  const list = (query: Query = {}) => {
    asked.push(String(query["resourceVersion"]));
    const then = states.filter(s => Number(s.metadata.resourceVersion) <= Number(query["resourceVersion"])).slice(-1);
    return Promise.resolve({ items: then, resourceVersion: "99" });
  };
  return { asked, statesOf: statesReader(() => ({ list })) };
}

describe("statesReader", () => {
  const [first, second, third] = [state(10, 1), state(20, 2), state(30, 3)];

  it("answers every state that the host remembers, the present one first", async () => {
    expect(await readerOver([first, second, third]).statesOf(third)).toEqual([third, second, first]);
  });

  it("asks once for a generation, whoever wants to know", async () => {
    const { statesOf, asked } = readerOver([first, second]);

    await Promise.all([statesOf(second), statesOf(second)]);
    await statesOf({ ...second, metadata: { ...second.metadata, resourceVersion: "25" } });

    expect(asked).toEqual(["19", "9"]);
  });

  it("asks again for the next generation", async () => {
    const { statesOf } = readerOver([first, second, third]);
    await statesOf(second);

    expect(await statesOf(third)).toHaveLength(3);
  });
});
