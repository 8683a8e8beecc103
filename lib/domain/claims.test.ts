// Do marks say which policy holds an object, and only when they say it whole?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimBy, claimMarks, claimOf, type Claim } from "./claims.js";
import {
  CPP_ID_LABEL,
  CPP_NAME_ANNOTATION,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
} from "./marks.js";

const own: Claim = { kind: "PropagationPolicy", namespace: "shop", name: "web-pp", id: "p1" };
const wide: Claim = { kind: "ClusterPropagationPolicy", name: "wide", id: "c1" };
const OWN_ANNOTATIONS = { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web-pp" };

const object = (labels?: Record<string, string>, annotations?: Record<string, string>) => ({
  metadata: { name: "web", labels, annotations },
});

describe("claimOf", () => {
  it.each`
    given                           | labels                                           | annotations                                              | claim
    ${"no marks"}                   | ${undefined}                                     | ${undefined}                                             | ${undefined}
    ${"a policy's marks"}           | ${{ [PP_ID_LABEL]: "p1" }}                       | ${OWN_ANNOTATIONS}                                       | ${own}
    ${"a cluster policy's marks"}   | ${{ [CPP_ID_LABEL]: "c1" }}                      | ${{ [CPP_NAME_ANNOTATION]: "wide" }}                     | ${wide}
    ${"a label without a name"}     | ${{ [PP_ID_LABEL]: "p1" }}                       | ${{ [PP_NAMESPACE_ANNOTATION]: "shop" }}                 | ${undefined}
    ${"names without a label"}      | ${{ app: "web" }}                                | ${OWN_ANNOTATIONS}                                       | ${undefined}
    ${"an empty id"}                | ${{ [PP_ID_LABEL]: "" }}                         | ${OWN_ANNOTATIONS}                                       | ${undefined}
    ${"marks of both kinds"}        | ${{ [PP_ID_LABEL]: "p1", [CPP_ID_LABEL]: "c1" }} | ${{ ...OWN_ANNOTATIONS, [CPP_NAME_ANNOTATION]: "wide" }} | ${own}
    ${"half of one, and the other"} | ${{ [PP_ID_LABEL]: "p1", [CPP_ID_LABEL]: "c1" }} | ${{ [CPP_NAME_ANNOTATION]: "wide" }}                     | ${wide}
  `("reads $given", ({ labels, annotations, claim }) => {
    const marked = object(labels as Record<string, string>, annotations as Record<string, string>);
    expect(claimOf(marked)).toEqual(claim);
  });
});

describe("claimBy", () => {
  const policy = (labels?: Record<string, string>) => ({ metadata: { name: "web-pp", namespace: "shop", labels } });

  it.each`
    given                              | kind                          | labels                      | claim
    ${"a policy with its id"}          | ${"PropagationPolicy"}        | ${{ [PP_ID_LABEL]: "p1" }}  | ${own}
    ${"a policy without an id"}        | ${"PropagationPolicy"}        | ${undefined}                | ${undefined}
    ${"a policy with another's label"} | ${"PropagationPolicy"}        | ${{ [CPP_ID_LABEL]: "c1" }} | ${undefined}
    ${"a cluster policy with its id"}  | ${"ClusterPropagationPolicy"} | ${{ [CPP_ID_LABEL]: "c1" }} | ${{ ...wide, name: "web-pp" }}
  `("makes the claim of $given", ({ kind, labels, claim }) => {
    expect(claimBy(kind as Claim["kind"], policy(labels as Record<string, string> | undefined))).toEqual(claim);
  });
});

describe("claimMarks", () => {
  const claims: fc.Arbitrary<Claim> = fc.oneof(
    fc.record({
      kind: fc.constant("PropagationPolicy" as const),
      namespace: fc.string({ minLength: 1 }),
      name: fc.string({ minLength: 1 }),
      id: fc.uuid(),
    }),
    fc.record({
      kind: fc.constant("ClusterPropagationPolicy" as const),
      name: fc.string({ minLength: 1 }),
      id: fc.uuid(),
    }),
  );
  const written = (map: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => entry[1] !== undefined));

  it("is read back by claimOf", () => {
    fc.assert(
      fc.property(claims, claim => {
        const { labels, annotations } = claimMarks(claim);
        expect(claimOf(object(written(labels), written(annotations)))).toEqual(claim);
      }),
    );
  });

  it("names every key of either kind, so that a claim that passes on leaves nothing behind", () => {
    const keys = fc.option(claims, { nil: undefined });
    fc.assert(
      fc.property(keys, claim => {
        const { labels, annotations } = claimMarks(claim);
        expect(Object.keys(labels).sort()).toEqual([CPP_ID_LABEL, PP_ID_LABEL].sort());
        const names = [CPP_NAME_ANNOTATION, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION];
        expect(Object.keys(annotations).sort()).toEqual(names.sort());
      }),
    );
    expect(Object.values(claimMarks(undefined).labels)).toEqual([undefined, undefined]);
  });
});
