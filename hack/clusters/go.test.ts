// Does a person with an unfit Go get the sentence, and nobody else?
import { describe, expect, it } from "vitest";
import { goProblem } from "./go.js";

const mods = ["module a\n\ngo 1.23\n", "module b\n\ngo 1.24.2\n\nrequire go.x v1.99.0\n"];

describe("goProblem", () => {
  it.each`
    what                                         | version                              | toolchain    | problem
    ${"the very version"}                        | ${"go version go1.24.2 linux/amd64"} | ${"local\n"} | ${undefined}
    ${"a newer one"}                             | ${"go version go1.26 linux/amd64"}   | ${"local\n"} | ${undefined}
    ${"a newer minor with more digits"}          | ${"go version go1.100 linux/arm64"}  | ${"local\n"} | ${undefined}
    ${"an older one that may fetch a newer"}     | ${"go version go1.22.1 linux/amd64"} | ${"auto\n"}  | ${undefined}
    ${"an older one that may not fetch"}         | ${"go version go1.22.1 linux/amd64"} | ${"local\n"} | ${"Go 1.22.1 is too old: install Go 1.24.2 or newer (https://go.dev/dl)."}
    ${"one patch too old"}                       | ${"go version go1.24.1 linux/amd64"} | ${"local\n"} | ${"Go 1.24.1 is too old: install Go 1.24.2 or newer (https://go.dev/dl)."}
    ${"one from before toolchains were fetched"} | ${"go version go1.19 linux/amd64"}   | ${"auto\n"}  | ${"Go 1.19.0 is too old: install Go 1.24.2 or newer (https://go.dev/dl)."}
    ${"a version that nobody can read"}          | ${"go version devel"}                | ${"local\n"} | ${undefined}
  `("answers for $what", ({ version, toolchain, problem }) => {
    expect(goProblem(version, toolchain, mods)).toBe(problem);
  });
});
