// Does a request for another try reach the Works of what the policy holds, and no others?
import { describe, expect, it } from "vitest";
import { PP_ID_LABEL, RB_ID_LABEL, RECONCILE_ANNOTATION } from "../../lib/domain/marks.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";
import { worksAskedFor } from "./asked-again.js";

const policy = (asked?: string): AnyPolicy =>
  ({
    metadata: {
      ...{ namespace: "shop", name: "pp", labels: { [PP_ID_LABEL]: "p1" } },
      annotations: asked === undefined ? {} : { [RECONCILE_ANNOTATION]: asked },
    },
    spec: { resourceSelectors: [] },
  }) as unknown as AnyPolicy;

const bindings: Readonly<Record<string, readonly object[]>> = {
  p1: ["b1", "b2"].map(id => ({ metadata: { labels: { [RB_ID_LABEL]: id } } })),
};
const works: Readonly<Record<string, readonly string[]>> = {
  b1: ["b1 in m1", "b1 in m2"],
  b2: ["b2 in m1"],
  b3: ["b3"],
};

const indexed = (buckets: Readonly<Record<string, readonly unknown[]>>) => ({
  store: { byIndex: (_index: string, value: string) => buckets[value] ?? [] },
});
const host = {
  bindings: indexed(bindings),
  clusterBindings: indexed({}),
  works: indexed(works),
} as unknown as Host;

describe("worksAskedFor", () => {
  it.each`
    given                      | before         | after          | asked
    ${"a first request"}       | ${policy()}    | ${policy("1")} | ${["b1 in m1", "b1 in m2", "b2 in m1"]}
    ${"another request"}       | ${policy("1")} | ${policy("2")} | ${["b1 in m1", "b1 in m2", "b2 in m1"]}
    ${"the same request"}      | ${policy("1")} | ${policy("1")} | ${[]}
    ${"a request taken back"}  | ${policy("1")} | ${policy()}    | ${[]}
    ${"what was there before"} | ${undefined}   | ${policy("1")} | ${[]}
    ${"a policy that went"}    | ${policy("1")} | ${undefined}   | ${[]}
  `("are $asked for $given", ({ before, after, asked }) => {
    const change = { key: "shop/pp", before: before as AnyPolicy, after: after as AnyPolicy };
    expect(worksAskedFor(host, change)).toEqual(asked);
  });
});
