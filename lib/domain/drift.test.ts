// Is drift seen where it is, and not where a server only added to an object?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, project, stableHash } from "./drift.js";

const MANIFEST = {
  spec: { containers: [{ name: "c", image: "web:1", ports: [{ containerPort: 80 }], args: ["a", "b"] }], empty: {} },
};
const LIVE = {
  metadata: { uid: "1" },
  spec: {
    containers: [
      { name: "injected", image: "proxy:1" },
      { name: "c", image: "web:1", pull: "Always", ports: [{ containerPort: 80, protocol: "TCP" }], args: ["a", "b"] },
    ],
    empty: {},
  },
};

describe("project", () => {
  it("keeps what the shape names, and finds list items by their key", () => {
    expect(project(LIVE, MANIFEST)).toEqual(MANIFEST);
  });

  it.each`
    what                                    | live                                          | shape                                   | result
    ${"a field that is gone stays away"}    | ${{ a: 1 }}                                   | ${{ a: 1, b: 2 }}                       | ${{ a: 1 }}
    ${"a changed value shows"}              | ${{ a: 2 }}                                   | ${{ a: 1 }}                             | ${{ a: 2 }}
    ${"an item more in a plain list shows"} | ${{ a: [1, 2] }}                              | ${{ a: [1] }}                           | ${{ a: [1, 2] }}
    ${"mounts go by their path"}            | ${[{ name: "v", mountPath: "/b", x: 1 }]}     | ${[{ name: "v", mountPath: "/b" }]}     | ${[{ name: "v", mountPath: "/b" }]}
    ${"doubles go by their place"}          | ${[{ name: "v", x: 1 }, { name: "v", x: 2 }]} | ${[{ name: "v" }, { name: "v", x: 1 }]} | ${[{ name: "v" }, { name: "v", x: 2 }]}
    ${"live's order stays"}                 | ${[{ name: "b" }, { name: "a" }]}             | ${[{ name: "a" }, { name: "b" }]}       | ${[{ name: "b" }, { name: "a" }]}
  `("$what", ({ live, shape, result }: { live: unknown; shape: unknown; result: unknown }) => {
    expect(project(live, shape)).toEqual(result);
  });

  it("gives an object back when it is its own shape", () => {
    fc.assert(
      fc.property(kubernetesLike, value => {
        expect(project(value, value)).toEqual(value);
      }),
    );
  });
});

describe("covers", () => {
  it.each`
    what                                | live                                                                                | manifest                          | answer
    ${"defaults and injected items"}    | ${LIVE}                                                                             | ${MANIFEST}                       | ${true}
    ${"another value"}                  | ${{ a: 2 }}                                                                         | ${{ a: 1 }}                       | ${false}
    ${"a missing field"}                | ${{}}                                                                               | ${{ a: 1 }}                       | ${false}
    ${"a missing volume source"}        | ${{}}                                                                               | ${{ emptyDir: {} }}               | ${false}
    ${"null for an absent field"}       | ${{}}                                                                               | ${{ a: null }}                    | ${true}
    ${"null for a set field"}           | ${{ a: 1 }}                                                                         | ${{ a: null }}                    | ${false}
    ${"a list for a map"}               | ${{ a: [] }}                                                                        | ${{ a: {} }}                      | ${false}
    ${"keyed items in another order"}   | ${[{ name: "b" }, { name: "a" }]}                                                   | ${[{ name: "a" }, { name: "b" }]} | ${true}
    ${"a keyed item that is gone"}      | ${[{ name: "b" }]}                                                                  | ${[{ name: "a" }, { name: "b" }]} | ${false}
    ${"plain items in another order"}   | ${["b", "a"]}                                                                       | ${["a", "b"]}                     | ${false}
    ${"a plain item more"}              | ${["a", "b"]}                                                                       | ${["a"]}                          | ${false}
    ${"one port, two protocols"}        | ${[{ containerPort: 53, protocol: "UDP" }, { containerPort: 53, protocol: "TCP" }]} | ${[{ containerPort: 53 }]}        | ${true}
    ${"the other protocol"}             | ${[{ containerPort: 53, protocol: "UDP" }]}                                         | ${[{ containerPort: 53 }]}        | ${false}
    ${"a double in the live list"}      | ${[{ name: "A", value: "1" }, { name: "A", value: "2" }]}                           | ${[{ name: "A", value: "2" }]}    | ${false}
    ${"a quantity written differently"} | ${{ cpu: "1" }}                                                                     | ${{ cpu: "1000m" }}               | ${false}
  `(
    "answers $answer for $what",
    ({ live, manifest, answer }: { live: unknown; manifest: unknown; answer: boolean }) => {
      expect(covers(live, manifest)).toBe(answer);
    },
  );

  it("is true of every object and itself, unless a keyed list has doubles", () => {
    fc.assert(
      fc.property(kubernetesLike, value => {
        expect(covers(value, value)).toBe(true);
      }),
    );
  });

  it("is false as soon as one leaf differs", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), kubernetesLike), fc.string(), (object, key) => {
        expect(covers({ ...object, [`x${key}`]: 1 }, { ...object, [`x${key}`]: 2 })).toBe(false);
      }),
    );
  });
});

describe("stableHash", () => {
  it("is short, and blind to key order and undefined", () => {
    expect(stableHash({ a: 1, b: [{ c: 2, d: undefined }] })).toBe(stableHash({ b: [{ c: 2 }], a: 1 }));
    expect(stableHash({})).toHaveLength(16);
  });

  it.each`
    a              | b
    ${[1, 2]}      | ${[2, 1]}
    ${{ a: 1 }}    | ${{ a: "1" }}
    ${{ a: null }} | ${{}}
    ${["a,b"]}     | ${["a", "b"]}
    ${{ a: {} }}   | ${{ a: [] }}
  `("tells $a from $b", ({ a, b }: { a: unknown; b: unknown }) => {
    expect(stableHash(a)).not.toBe(stableHash(b));
  });
});

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const { value: kubernetesLike } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(leaf),
    fc.uniqueArray(fc.record({ name: fc.string(), spec: tie("value") }), { selector: item => item.name }),
    fc.dictionary(fc.string(), tie("value")),
  ),
}));
