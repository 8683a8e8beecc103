// Is a copy whose place was left judged as of then, and kept where then is past reading?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { Work } from "../../crds/work.js";
import { DECIDED_BY_ANNOTATION } from "../../lib/domain/marks.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { departuresReader } from "./departures.js";
import type { RulesReading } from "./rules-at.js";

const template = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "shop", name: "cfg", uid: "t", resourceVersion: "5" },
};

function policy(revision: number, clusterNames: string[], preserveResourcesOnDeletion: boolean): PropagationPolicy {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { namespace: "shop", name: "pp", uid: "p", resourceVersion: String(revision), generation: revision },
    spec: { resourceSelectors: [], placement: { clusterAffinity: { clusterNames } }, preserveResourcesOnDeletion },
  } as PropagationPolicy;
}

function bindingThatSays(preserveResourcesOnDeletion: boolean, revision = 1, ofRule?: "orphan" | "background") {
  const word = { name: "m1", cascadeDeletion: ofRule, reason: "CascadeDeletionPolicy", decidedBy: "a rule" };
  const clusterDeletion = ofRule && [word];
  return {
    metadata: { namespace: "shop", name: "cfg-configmap", uid: "b", resourceVersion: String(revision) },
    spec: { resource: {}, clusters: [{ name: "m2" }], preserveResourcesOnDeletion, clusterDeletion },
  } as unknown as AnyBinding;
}

/** The Work in m1, with the word of a policy about deletion. */
function workThatSays(cascadeDeletion?: "orphan" | "background", revision = 1): Work {
  const annotations = cascadeDeletion && { [DECIDED_BY_ANNOTATION]: "a rule" };
  const resourceVersion = String(revision);
  return {
    metadata: { name: "w", namespace: "karmada-es-m1", uid: "w", resourceVersion, annotations },
    spec: { cascadeDeletion, preserveResourcesOnDeletion: cascadeDeletion !== "background" },
  } as Work;
}

/** A client of a server that has these states, and remembers nothing from before `oldest`. */
const clientOf = (states: readonly KubeObject[], oldest: number) => ({
  list(query: Query = {}) {
    const revision = Number(query["resourceVersion"]);
    if (revision < oldest) return Promise.reject(new KubeError(410, "Expired", "compacted"));
    return Promise.resolve({ items: states.filter(s => Number(s.metadata.resourceVersion) <= revision).slice(-1) });
  },
});

interface Story {
  readonly states: readonly PropagationPolicy[];
  readonly oldest: number;
  readonly recorded: boolean;
  /** The binding's states, where it has had several. */
  readonly bindings?: readonly AnyBinding[];
  /** The binding is gone; the states of the Work in m1. */
  readonly works?: readonly Work[];
  readonly unheard?: boolean;
  /** What a rule said before an edit that nobody may have heard, by which it no longer selects. */
  readonly lapsed?: "orphan" | "background";
  readonly until?: string;
}

/** What was decided about the copy in m1, by a policy that went through these states. */
async function decisionIn({ states, oldest, recorded, bindings, works = [], unheard = false, lapsed, until }: Story) {
  const records = bindings ?? [bindingThatSays(recorded)];
  const apis = [{ groupVersion: "v1", resources: [{ kind: "ConfigMap" }] }];
  const clusters = new Map(
    ["m1", "m2"].map(name => [name, { metadata: { name }, spec: {}, status: { apiEnablements: apis } }]),
  );
  const host = {
    clusters: { store: clusters, get: (name: string) => clusters.get(name) },
    policiesLike: () => ({ client: clientOf(states, oldest) }),
    bindingsLike: () => ({ client: clientOf(records, oldest) }),
    works: { client: clientOf(works, oldest) },
    templates: { of: () => ({ client: clientOf([template], oldest) }) },
  };
  const rules = async (_: KubeObject, __: unknown, revision: string | undefined): Promise<RulesReading> => {
    const then = states.filter(s => Number(s.metadata.resourceVersion) <= Number(revision ?? Infinity)).at(-1);
    const word = { preserve: then?.spec.preserveResourcesOnDeletion, decidedBy: "PropagationPolicy shop/pp" };
    return {
      policy: word,
      holderUnheard: unheard,
      rulesUnheard: false,
      rules: [],
      lapsed: ({ metadata: { name } }) =>
        lapsed && { name, cascadeDeletion: lapsed, reason: "CascadeDeletionPolicy", decidedBy: "another rule" },
      exact: true,
      moved: false,
    };
  };
  const departures = departuresReader(
    host as unknown as Parameters<typeof departuresReader>[0],
    rules,
    name => clusters.get(name) ?? { metadata: { name }, spec: {} },
  );
  const binding = works.length > 0 ? undefined : records.at(-1);
  const departing = { live: template, until, binding, works: [works.at(-1) ?? workThatSays()], policy: states.at(-1) };
  return (await departures(departing)).get("m1");
}

const stays = policy(10, ["m1", "m2"], true);
const left = (preserve: boolean) => policy(20, ["m2"], preserve);
const after = (preserve: boolean) => policy(30, ["m2"], preserve);

describe("departuresReader", () => {
  it.each`
    given                                                                      | story                                                                                                                                        | order
    ${"an edit that kept, and one that no longer does"}                        | ${{ states: [stays, left(true), after(false)], oldest: 0, recorded: true }}                                                                  | ${"keep"}
    ${"an edit that let go, and one that keeps"}                               | ${{ states: [stays, left(false), after(true)], oldest: 0, recorded: true }}                                                                  | ${"delete"}
    ${"an edit past reading, where the present word is the recorded"}          | ${{ states: [stays, left(false), after(false)], oldest: 25, recorded: false }}                                                               | ${"delete"}
    ${"an edit past reading, where the present word is another"}               | ${{ states: [stays, left(true), after(false)], oldest: 25, recorded: true }}                                                                 | ${"keep"}
    ${"an edit past reading that nobody heard"}                                | ${{ states: [stays, left(false), after(false)], oldest: 25, recorded: false, unheard: true }}                                                | ${"keep"}
    ${"a rule that was heard after an edit that kept"}                         | ${{ states: [stays, left(true)], oldest: 0, recorded: true, bindings: [bindingThatSays(true), bindingThatSays(true, 25, "background")] }}    | ${"keep"}
    ${"a rule on record then, that is off it with the place"}                  | ${{ states: [stays, left(false)], oldest: 0, recorded: false, bindings: [bindingThatSays(false, 1, "orphan"), bindingThatSays(false, 25)] }} | ${"keep"}
    ${"a rule that came after an edit that kept, and the binding is gone"}     | ${{ states: [stays, left(true)], oldest: 0, recorded: true, works: [workThatSays("orphan"), workThatSays("background", 25)] }}               | ${"keep"}
    ${"a rule before an edit that kept, and the binding is gone"}              | ${{ states: [stays, left(true)], oldest: 0, recorded: true, works: [workThatSays("background", 15), workThatSays("orphan", 25)] }}           | ${"delete"}
    ${"an edit that let go, after a rule that kept had gone unheard"}          | ${{ states: [stays, left(false)], oldest: 0, recorded: false, lapsed: "orphan" }}                                                            | ${"keep"}
    ${"a rule on record that keeps, and one that had let go before it lapsed"} | ${{ states: [stays, left(false)], oldest: 0, recorded: false, bindings: [bindingThatSays(false, 1, "orphan")], lapsed: "background" }}       | ${"keep"}
    ${"a rule on record that lets go, and one that had kept before it lapsed"} | ${{ states: [stays, left(false)], oldest: 0, recorded: false, bindings: [bindingThatSays(false, 1, "background")], lapsed: "orphan" }}       | ${"keep"}
    ${"a policy that goes there"}                                              | ${{ states: [stays], oldest: 0, recorded: true }}                                                                                            | ${undefined}
    ${"an edit after the template's deletion"}                                 | ${{ states: [stays, left(false)], oldest: 0, recorded: true, until: "15" }}                                                                  | ${undefined}
    ${"an edit past reading that may be from after the deletion"}              | ${{ states: [stays, left(false)], oldest: 20, recorded: false, until: "15" }}                                                                | ${undefined}
  `("decides $order for $given", async ({ story, order }) => {
    expect((await decisionIn(story as Story))?.order).toBe(order);
  });
});
