// Is every input of a build part of its name, and is the cache where the XDG specification says?
import { describe, expect, it } from "vitest";
import { cacheDir, hashOf } from "./cache.js";

const base = [
  { name: "go.mod", content: "module a" },
  { name: "main.go", content: "package main" },
];

describe("hashOf", () => {
  it("does not depend on the order of the sources", () => {
    expect(hashOf([...base].reverse())).toBe(hashOf(base));
  });

  it.each([
    ["a changed content", [base[0], { name: "main.go", content: "package main\n" }]],
    ["a renamed source", [base[0], { name: "other.go", content: "package main" }]],
    ["a source more", [...base, { name: "go.sum", content: "" }]],
    ["content that moved to the name", [base[0], { name: "main.gop", content: "ackage main" }]],
  ])("tells %s apart", (_what, changed) => {
    expect(hashOf(changed.filter(source => source !== undefined))).not.toBe(hashOf(base));
  });

  it("is safe as a directory name", () => {
    expect(hashOf(base)).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("cacheDir", () => {
  it.each([
    ["XDG_CACHE_HOME when it is absolute", { XDG_CACHE_HOME: "/x", HOME: "/h" }, "/x/holdfast/abc"],
    ["~/.cache when it is not set", { HOME: "/h" }, "/h/.cache/holdfast/abc"],
    ["~/.cache when it is empty", { XDG_CACHE_HOME: "", HOME: "/h" }, "/h/.cache/holdfast/abc"],
    ["~/.cache when it is relative", { XDG_CACHE_HOME: "x", HOME: "/h" }, "/h/.cache/holdfast/abc"],
  ])("uses %s", (_what, env, expected) => {
    expect(cacheDir("abc", env)).toBe(expected);
  });
});
