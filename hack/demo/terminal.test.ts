// Is the story readable with and without colours?
import { describe, expect, it } from "vitest";
import { terminalOn } from "./terminal.js";

const ESCAPE = "\u001b[";

function written(isTTY: boolean | undefined, env: Record<string, string>): string {
  let text = "";
  const terminal = terminalOn({ isTTY, write: (part: string) => (text += part) }, env);
  terminal.heading(3, "Title");
  terminal.command("kubectl get nodes");
  terminal.output("one\n\ntwo\n");
  terminal.see("look");
  terminal.held("so it is");
  return text;
}

describe("terminalOn", () => {
  it.each`
    given                              | isTTY        | env                     | coloured
    ${"a terminal"}                    | ${true}      | ${{}}                   | ${true}
    ${"a terminal of who wants none"}  | ${true}      | ${{ NO_COLOR: "1" }}    | ${false}
    ${"an empty NO_COLOR, as no word"} | ${true}      | ${{ NO_COLOR: "" }}     | ${true}
    ${"a file"}                        | ${undefined} | ${{}}                   | ${false}
    ${"a pipe that would like colour"} | ${false}     | ${{ FORCE_COLOR: "1" }} | ${false}
  `("says coloured=$coloured for $given", ({ isTTY, env, coloured }) => {
    expect(written(isTTY, env).includes(ESCAPE)).toBe(coloured);
  });

  it("can be read without colours", () => {
    expect(written(false, {})).toBe("\n━━ 3. Title\n\n$ kubectl get nodes\n  one\n\n  two\n→ look\n✓ so it is\n");
  });
});
