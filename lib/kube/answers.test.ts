// Is nothing asked twice but what has failed, or has been forgotten?
import { describe, expect, it } from "vitest";
import { Answers } from "./answers.js";

function asker(...answers: readonly (string | Error)[]) {
  let asked = 0;
  const ask = (): Promise<string> => {
    const answer = answers[asked++] ?? "?";
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { ask, times: () => asked };
}

describe("Answers", () => {
  it("asks once for all who ask at the same time, and for those who come later", async () => {
    const [answers, { ask, times }] = [new Answers<string>(10), asker("one", "two")];

    const together = await Promise.all([answers.of("a", ask), answers.of("a", ask)]);

    expect([...together, await answers.of("a", ask)]).toEqual(["one", "one", "one"]);
    expect(times()).toBe(1);
  });

  it("does not take the answer to one question for that to another", async () => {
    const [answers, { ask }] = [new Answers<string>(10), asker("one", "two")];

    expect([await answers.of("a", ask), await answers.of("b", ask)]).toEqual(["one", "two"]);
  });

  it("lets all who wait know of a failure, and asks the next time", async () => {
    const [answers, { ask }] = [new Answers<string>(10), asker(new Error("away"), "two")];

    const together = await Promise.allSettled([answers.of("a", ask), answers.of("a", ask)]);

    expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await answers.of("a", ask)).toBe("two");
  });

  it("forgets the oldest beyond its limit", async () => {
    const [answers, { ask, times }] = [new Answers<string>(2), asker("one", "two", "three", "four")];
    for (const name of ["a", "b", "c"]) await answers.of(name, ask);

    expect([await answers.of("b", ask), await answers.of("c", ask), await answers.of("a", ask)]).toEqual([
      "two",
      "three",
      "four",
    ]);
    expect(times()).toBe(4);
  });
});
