// Does the check of generated files see every difference, and leave the tree as it is?
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkGenerated, generate } from "./generate.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "holdfast-tree-"));
  for (const dir of ["hack", "node_modules", "out"]) mkdirSync(join(root, dir));
  for (const name of ["gen-a.ts", "gen-b.ts", "gen-a.test.ts", "other.ts"]) writeFileSync(join(root, "hack", name), "");
  writeFileSync(join(root, "out", "a.yaml"), "a");
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** Generators that write `content` where they run. */
function writing(content: string): (script: string, cwd: string) => Promise<number> {
  return async (_script, cwd) => {
    writeFileSync(join(cwd, "out", "a.yaml"), content);
    return 0;
  };
}

describe("checkGenerated", () => {
  it("passes when nothing changes", async () => {
    expect(await checkGenerated(root, writing("a"))).toBe(0);
  });

  it("fails, names the file and leaves it alone when its content changes", async () => {
    expect(await checkGenerated(root, writing("b"))).toBe(1);
    expect(process.stderr.write).toHaveBeenCalledWith(expect.stringContaining("out/a.yaml"));
    expect(readFileSync(join(root, "out", "a.yaml"), "utf8")).toBe("a");
  });

  it.each([
    ["a file appears", (cwd: string) => writeFileSync(join(cwd, "out", "new.yaml"), "")],
    ["a file goes", (cwd: string) => rmSync(join(cwd, "out", "a.yaml"), { force: true })],
  ])("fails when %s", async (_what, change) => {
    const run = async (_script: string, cwd: string): Promise<number> => {
      change(cwd);
      return 0;
    };
    expect(await checkGenerated(root, run)).toBe(1);
  });

  it("fails when a generator fails", async () => {
    expect(await checkGenerated(root, async () => 3)).toBe(3);
  });
});

describe("generate", () => {
  it("runs every generator, in the order of their names, and nothing else", async () => {
    const ran: string[] = [];
    await generate(root, async script => {
      ran.push(script);
      return 0;
    });
    expect(ran).toEqual(["gen-a.ts", "gen-b.ts"].map(name => join(root, "hack", name)));
  });
});
