// Does tar read what we write, and is it the same every time?
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tarOf, type TarEntry } from "./tar.js";

const text = (path: string, content: string, mode = 0o644): TarEntry => ({
  ...{ path, mode, owner: 65_532 },
  content: Buffer.from(content),
});
const files = [text("app/z.txt", "z".repeat(513)), text("app/a/run.sh", "", 0o755), text("b", "b".repeat(512))];

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-tar-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function tar(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("tar", args, { encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

describe("tarOf", () => {
  it("writes what tar reads: modes, numbers for owners, no time, and the directories above", () => {
    const file = join(place(), "x.tar");
    writeFileSync(file, tarOf(files));
    expect(
      tar("-tvf", file)
        .trim()
        .split("\n")
        .map(line => line.replace(/ +/g, " ")),
    ).toEqual([
      "drwxr-xr-x 0/0 0 1970-01-01 00:00 app/",
      "drwxr-xr-x 0/0 0 1970-01-01 00:00 app/a/",
      "-rwxr-xr-x 65532/65532 0 1970-01-01 00:00 app/a/run.sh",
      "-rw-r--r-- 65532/65532 513 1970-01-01 00:00 app/z.txt",
      "-rw-r--r-- 65532/65532 512 1970-01-01 00:00 b",
    ]);
  });

  it("gives every byte back", () => {
    const dir = place();
    writeFileSync(join(dir, "x.tar"), tarOf(files));
    tar("-xf", join(dir, "x.tar"), "-C", dir, "--no-same-owner");
    expect(readFileSync(join(dir, "app/z.txt"), "utf8")).toBe("z".repeat(513));
    expect(statSync(join(dir, "app/a/run.sh")).mode & 0o777).toBe(0o755);
  });

  it("does not depend on the order of what it is given", () => {
    expect(tarOf([...files].reverse()).equals(tarOf(files))).toBe(true);
  });

  it.each`
    given                          | entries                             | why
    ${"a path that is too long"}   | ${[text("x".repeat(101), "")]}      | ${/longer than 100 bytes/}
    ${"two entries with one path"} | ${[text("x", "1"), text("x", "2")]} | ${/x: stands twice/}
  `("refuses $given", ({ entries, why }: { entries: readonly TarEntry[]; why: RegExp }) => {
    expect(() => tarOf(entries)).toThrow(why);
  });
});
