// Is the word found that a policy said before it selected something else?
import { describe, expect, it } from "vitest";
import type { Query } from "./client.js";
import { KubeError } from "./errors.js";
import type { AnyPolicy } from "./host.js";
import { lastSelectingReader, preserveSaid } from "./last-selecting.js";

const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "shop", name: "web", labels: { a: "b" } },
};
const gone = { ...web, metadata: { namespace: "shop", name: "web" } };

/** One state of the policy: what it selects, and what its field says. */
const state = (revision: number, name: string, preserve: boolean | undefined, more: object = {}): AnyPolicy =>
  ({
    metadata: { namespace: "shop", name: "pp", uid: "u", generation: revision, resourceVersion: String(revision) },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name, ...more }],
      preserveResourcesOnDeletion: preserve,
    },
  }) as unknown as AnyPolicy;

/** A host whose policy went through these states; what is older than `oldest` is forgotten. */
function hostWith(states: readonly AnyPolicy[], oldest = 0) {
  let requests = 0;
  const list = async (query: Query = {}) => {
    requests++;
    const revision = Number(query["resourceVersion"]);
    if (revision < oldest) throw new KubeError(410, "Expired", "compacted");
    const then = states.filter(one => Number(one.metadata.resourceVersion) <= revision).at(-1);
    return { items: then ? [then] : [], resourceVersion: String(revision) };
  };
  const host = { policiesLike: () => ({ client: { list } }) };
  const lastSelecting = lastSelectingReader(host as unknown as Parameters<typeof lastSelectingReader>[0]);
  return { now: states.at(-1) ?? state(0, "", undefined), lastSelecting, requests: () => requests };
}

const LABELS = { labelSelector: { matchLabels: { a: "other" } } };

describe("what a policy said last about a template", () => {
  it.each`
    given                                                    | states                                                                   | oldest | template | said
    ${"one that selects it"}                                 | ${[state(1, "web", false)]}                                              | ${0}   | ${web}   | ${{ preserve: false }}
    ${"one that selects it and says nothing"}                | ${[state(1, "web", undefined)]}                                          | ${0}   | ${web}   | ${{ preserve: undefined }}
    ${"one that left it by an edit that says delete"}        | ${[state(1, "web", true), state(2, "x", false)]}                         | ${0}   | ${web}   | ${{ preserve: true }}
    ${"one that said keep and then delete before it left"}   | ${[state(1, "web", true), state(2, "web", false), state(3, "x", false)]} | ${0}   | ${web}   | ${{ preserve: false }}
    ${"one that says keep after it has left"}                | ${[state(1, "web", false), state(2, "x", true)]}                         | ${0}   | ${web}   | ${{ preserve: true }}
    ${"one whose past is forgotten"}                         | ${[state(1, "web", true), state(2, "x", false)]}                         | ${2}   | ${web}   | ${undefined}
    ${"one by labels, and a template whose labels are gone"} | ${[state(1, "", false, LABELS)]}                                         | ${0}   | ${gone}  | ${{ preserve: false }}
    ${"one by other labels"}                                 | ${[state(1, "", false, LABELS)]}                                         | ${0}   | ${web}   | ${undefined}
  `("is $said for $given", async ({ states, oldest, template, said }) => {
    const { now, lastSelecting } = hostWith(states as AnyPolicy[], oldest as number);

    expect(preserveSaid(now, await lastSelecting(now, template as typeof web))).toEqual(said);
  });

  it("is read once for all templates, and not at all while the policy selects", async () => {
    const left = hostWith([state(1, "web", true), state(2, "x", false)]);
    await Promise.all(Array.from({ length: 20 }, () => left.lastSelecting(left.now, web)));
    const selecting = hostWith([state(1, "web", true)]);
    await selecting.lastSelecting(selecting.now, web);

    expect([left.requests(), selecting.requests()]).toEqual([1, 0]);
  });
});
