// Is the word of a policy about deletion found that it gave before an edit by which it no longer selects?
import { describe, expect, it } from "vitest";
import type { CascadeDeletionPolicy } from "../../crds/cascade-deletion-policy.js";
import type { Query } from "../../lib/kube/client.js";
import { lapsesReader } from "./lapses.js";

const template = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "shop", name: "web" } };
const cluster = { metadata: { name: "m1" }, spec: {} };

const rule = (resourceVersion: string, cascadeDeletion: string, name: string, clusters?: string[]) =>
  ({
    kind: "CascadeDeletionPolicy",
    metadata: { namespace: "shop", name: "r", uid: "u", resourceVersion, generation: Number(resourceVersion) / 10 },
    spec: {
      cascadeDeletion,
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name }],
      ...(clusters ? { targetCluster: { clusterNames: clusters } } : {}),
    },
  }) as unknown as CascadeDeletionPolicy;

function readerOver(states: readonly CascadeDeletionPolicy[]) {
  const asked: string[] = [];
  const list = (query: Query = {}) => {
    const revision = Number(query["resourceVersion"]);
    asked.push(String(revision));
    const then = states.filter(state => Number(state.metadata.resourceVersion) <= revision).at(-1);
    return Promise.resolve({ items: then ? [then] : [], resourceVersion: String(revision) });
  };
  const host = { cascadePoliciesLike: () => ({ client: { list } }) } as unknown as Parameters<typeof lapsesReader>[0];
  return { asked, lapsesOf: lapsesReader(host), now: states.slice(-1) };
}

describe("lapsesReader", () => {
  it.each`
    given                                       | states                                                                                   | word
    ${"an edit to another name"}                | ${[rule("10", "orphan", "web"), rule("20", "background", "db")]}                         | ${"orphan"}
    ${"an edit to another cluster"}             | ${[rule("10", "orphan", "web"), rule("20", "adopted", "web", ["m2"])]}                   | ${"orphan"}
    ${"the last word before several edits"}     | ${[rule("10", "background", "web"), rule("20", "orphan", "web"), rule("30", "x", "db")]} | ${"orphan"}
    ${"a policy that has never selected it"}    | ${[rule("10", "orphan", "db"), rule("20", "orphan", "dc")]}                              | ${undefined}
    ${"a policy that was made, and not edited"} | ${[rule("10", "orphan", "web")]}                                                         | ${undefined}
  `("answers $word for $given", async ({ states, word }) => {
    const { lapsesOf, now } = readerOver(states as CascadeDeletionPolicy[]);
    const lapses = await lapsesOf(template, now);
    expect(lapses(cluster)?.cascadeDeletion).toBe(word);
  });

  it("reads a policy's past once for all templates", async () => {
    const { lapsesOf, now, asked } = readerOver([rule("10", "orphan", "web"), rule("20", "background", "db")]);
    await Promise.all(Array.from({ length: 10 }, () => lapsesOf(template, now)));
    expect(asked).toEqual(["19", "9"]);
  });
});
