// Are the inputs of the image the ones that are meant?
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../clusters/bundle.js";
import { libraryPaths } from "./libraries.js";
import { packagesIn } from "./module.js";
import { demandIntegrity } from "./node-runtime.js";
import { ENTRYPOINT, ENVIRONMENT } from "./operator-image.js";
import { USER } from "./root.js";

const LDD = `	linux-vdso.so.1 (0x00007f141787d000)
	libdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007f1417867000)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f141733e000)
	/lib64/ld-linux-x86-64.so.2 (0x00007f141787f000)
`;

describe("libraryPaths", () => {
  it("answers files only, the loader among them", () => {
    expect(libraryPaths(LDD)).toEqual([
      "/lib/x86_64-linux-gnu/libdl.so.2",
      "/lib/x86_64-linux-gnu/libc.so.6",
      "/lib64/ld-linux-x86-64.so.2",
    ]);
  });

  it.each`
    given                  | text                                     | why
    ${"a missing library"} | ${`${LDD}	libstdc++.so.6 => not found\n`} | ${/needs libstdc\+\+\.so\.6/}
    ${"a static program"}  | ${"	statically linked\n"}                 | ${/no loader/}
  `("says what is wrong with $given", ({ text, why }: { text: string; why: RegExp }) => {
    expect(() => libraryPaths(text)).toThrow(why);
  });
});

describe("packagesIn", () => {
  it("names every package once, also those inside others and in a scope", () => {
    const used = ["pepr.ts", "lib/kube/host.ts", "node_modules/zod/v4/index.js", "node_modules/zod/v4/core.js"];
    const nested = ["node_modules/@a/b/node_modules/c/i.js", "../x/node_modules/@a/b/index.js"];
    expect(packagesIn([...used, ...nested])).toEqual([
      "../x/node_modules/@a/b",
      "node_modules/@a/b/node_modules/c",
      "node_modules/zod",
    ]);
  });
});

describe("demandIntegrity", () => {
  const content = Buffer.from("node");
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;

  it("takes what is pinned, and nothing else", () => {
    expect(() => demandIntegrity(content, integrity, "node.tgz")).not.toThrow();
    expect(() => demandIntegrity(Buffer.from("n0de"), integrity, "node.tgz")).toThrow(/node\.tgz: is not what/);
  });
});

describe("the Dockerfile", () => {
  it("starts the same program in the same way as the image that needs no engine", () => {
    const text = readFileSync(join(ROOT, "Dockerfile"), "utf8");
    expect(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? "[]")).toEqual(ENTRYPOINT);
    expect(/^ENV (.*)$/m.exec(text)?.[1]?.split(" ")).toEqual(ENVIRONMENT);
    expect(text).toMatch(new RegExp(`^USER ${USER}:${USER}$`, "m"));
    expect(text).toMatch(/^WORKDIR \/app$/m);
    expect(text).toMatch(/^FROM scratch$/m);
  });
});
