// Is everything said in lines that a terminal shows whole?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Copy } from "../../lib/domain/propagated.js";
import { copyLines, counted, nameOf } from "./words.js";

const copy = (cluster: string, cascade: Copy["cascade"], extra: Partial<Copy> = {}): Copy => {
  return { cluster, cascade, presence: "Ours", ...extra };
};

describe("counted", () => {
  it.each([
    [0, "template", "0 templates"],
    [1, "copy", "1 copy"],
    [2, "copy", "2 copies"],
    [3, "pod", "3 pods"],
  ])("%i %s is %s", (count, noun, says) => {
    expect(counted(count, noun)).toBe(says);
  });
});

describe("nameOf", () => {
  it("names kind, namespace and name", () => {
    const metadata = { name: "web", namespace: "shop" };
    expect(nameOf({ kind: "Deployment", metadata })).toBe("Deployment shop/web");
    expect(nameOf({ kind: "ClusterRole", metadata: { name: "app" } })).toBe("ClusterRole app");
  });

  it("shortens a long name in its middle", () => {
    const said = nameOf({ kind: "ConfigMap", metadata: { name: `${"a".repeat(200)}-end`, namespace: "shop" } });
    expect(said).toMatch(/^ConfigMap shop\/a+…a+-end$/);
    expect(said.length).toBeLessThanOrEqual(64);
  });
});

describe("copyLines", () => {
  it.each`
    given                        | copies                                                                                              | says
    ${"what is kept everywhere"} | ${[copy("member1", "orphan"), copy("member2", "orphan", { pods: 3 })]}                              | ${["D: kept in member1, member2"]}
    ${"what is deleted"}         | ${[copy("member1", "background", { pods: 3 }), copy("member2", "background")]}                      | ${["D: will be deleted in member1 (3 pods), member2"]}
    ${"one pod"}                 | ${[copy("member1", "background", { pods: 1 })]}                                                     | ${["D: will be deleted in member1 (1 pod)"]}
    ${"what never arrived"}      | ${[copy("member1", "background", { presence: "Unknown" })]}                                         | ${["D: will be deleted in member1 (not applied: what is not ours stays)"]}
    ${"an update that fails"}    | ${[copy("member1", "background", { presence: "Ours" })]}                                            | ${["D: will be deleted in member1"]}
    ${"what is not ours"}        | ${[copy("a", "background", { presence: "Foreign" }), copy("b", "orphan", { presence: "Foreign" })]} | ${["D: stays in a, b, where it is not ours"]}
    ${"what was there before"}   | ${[copy("member1", "adopted")]}                                                                     | ${["D: kept in member1 if it was there before, else deleted"]}
    ${"what is put back"}        | ${[copy("member1", "restore")]}                                                                     | ${["D: put back as before it was taken over in member1"]}
    ${"one of each"}             | ${[copy("a", "orphan"), copy("b", "adopted"), copy("c", "background")]}                             | ${["D: will be deleted in c", "D: kept in b if it was there before, else deleted", "D: kept in a"]}
    ${"no copies"}               | ${[]}                                                                                               | ${[]}
  `("says of $given", ({ copies, says }) => {
    expect(copyLines("D", copies)).toEqual(says);
  });

  const anyCopy = fc.record(
    {
      cluster: fc.stringMatching(/^[a-z][a-z0-9-]{0,40}[a-z0-9]$/),
      cascade: fc.constantFrom("orphan" as const, "background" as const, "adopted" as const, "restore" as const),
      pods: fc.nat(10_000),
      presence: fc.constantFrom("Ours" as const, "Foreign" as const, "Unknown" as const),
    },
    { requiredKeys: ["cluster", "cascade", "presence"] },
  );

  it("names every cluster once, in lines of at most 120 characters", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyCopy, { selector: c => c.cluster, maxLength: 40 }), copies => {
        const lines = copyLines("Deployment shop/web", copies);
        expect(lines.every(line => line.length <= 120)).toBe(true);
        const names = lines.flatMap(line =>
          line
            .replace(/^.*? in /, "")
            .replace(" if it was there before, else deleted", "")
            .replace(", where it is not ours", "")
            .split(", ")
            .map(item => item.replace(/ \(.*\)$/, "")),
        );
        expect(names.sort()).toEqual(copies.map(c => c.cluster).sort());
      }),
    );
  });
});
