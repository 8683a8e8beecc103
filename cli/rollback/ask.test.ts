// Is a question answered by what a person types?
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ask } from "./ask.js";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

function seat({ isTTY = true }: { readonly isTTY?: boolean } = {}) {
  return { stdin: Object.assign(new PassThrough(), { isTTY }), stderr: Object.assign(new PassThrough(), { isTTY }) };
}

describe("ask", () => {
  it.each`
    typed            | means    | expected
    ${"y\r"}         | ${"yes"} | ${true}
    ${"Yes\r"}       | ${"yes"} | ${true}
    ${"n\r"}         | ${"no"}  | ${false}
    ${"\r"}          | ${"no"}  | ${false}
    ${"yesterday\r"} | ${"no"}  | ${false}
    ${CTRL_D}        | ${"no"}  | ${false}
  `("takes $typed for $means", async ({ typed, expected }: { typed: string; expected: boolean }) => {
    const one = seat();
    const answer = ask("Go on?", one);
    one.stdin.write(typed);
    expect(await answer).toBe(expected);
  });

  it("takes Ctrl-C for the wish to be asked nothing more, and ends the line", async () => {
    const one = seat();
    const answer = ask("Go on?", one);
    one.stdin.write(CTRL_C);
    await expect(answer).rejects.toMatchObject({ message: "nothing was done", exitCode: 2 });
    expect(String(one.stderr.read())).toMatch(/\[y\/N\] [^\n]*\n$/);
  });

  it("asks nobody who does not sit there", async () => {
    expect(await ask("Go on?", seat({ isTTY: false }))).toBeUndefined();
  });
});
