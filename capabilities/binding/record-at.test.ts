// Are the words found that were on record at a moment, also when their binding is gone by now?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { RB_NAME_ANNOTATION, RB_NAMESPACE_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { recordAt } from "./record-at.js";

interface State {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion?: string };
}

const binding = (resourceVersion: string, preserve: boolean, uid = "u1"): AnyBinding =>
  ({
    metadata: { name: "cfg-configmap", namespace: "shop", uid: "b1", resourceVersion },
    spec: { resource: { uid }, preserveResourcesOnDeletion: preserve },
  }) as unknown as AnyBinding;

const work = (resourceVersion: string, preserve: boolean): Work =>
  ({
    metadata: {
      ...{ name: "w", namespace: "karmada-es-m1", uid: "w1", resourceVersion },
      annotations: {
        [RB_NAMESPACE_ANNOTATION]: "shop",
        [RB_NAME_ANNOTATION]: "cfg-configmap",
        [TEMPLATE_UID_ANNOTATION]: "u1",
      },
    },
    spec: { preserveResourcesOnDeletion: preserve },
  }) as unknown as Work;

/** A server that remembers these states; each stands until the next one, or until `goneAt`. */
function clientOf(states: readonly State[], { goneAt = Infinity, oldest = 0 } = {}) {
  const list = async (query: Query = {}) => {
    const revision = Number(query["resourceVersion"]);
    if (revision < oldest) throw new KubeError(410, "Expired", "compacted");
    const then = states.filter(({ metadata }) => Number(metadata.resourceVersion) <= revision).at(-1);
    return { items: then && revision < goneAt ? [then] : [], resourceVersion: `${revision}` };
  };
  return { client: { list } };
}

const preserveOf = (of: AnyBinding | undefined): boolean | undefined => of?.spec.preserveResourcesOnDeletion;

describe("recordAt", () => {
  const moment = "58";
  it.each`
    given                                                 | bindings                                       | goneAt      | oldest | works                                    | onBinding    | onWorks
    ${"was there then, its Works had not heard it yet"}   | ${[binding("20", false), binding("56", true)]} | ${62}       | ${0}   | ${[work("40", false), work("59", true)]} | ${true}      | ${[true]}
    ${"was heard by Works only afterwards"}               | ${[binding("20", false), binding("59", true)]} | ${62}       | ${0}   | ${[work("40", false), work("60", true)]} | ${true}      | ${[true]}
    ${"went before, so that the Works' words then count"} | ${[binding("20", true)]}                       | ${50}       | ${0}   | ${[work("40", false), work("59", true)]} | ${undefined} | ${[false]}
    ${"was about another template"}                       | ${[binding("20", true, "u2")]}                 | ${Infinity} | ${0}   | ${[work("40", false)]}                   | ${undefined} | ${[false]}
    ${"is past reading: the Works count as they are"}     | ${[binding("20", true)]}                       | ${62}       | ${90}  | ${[work("40", false), work("59", true)]} | ${undefined} | ${[true]}
  `("of a binding that $given", async ({ bindings, goneAt, oldest, works, onBinding, onWorks }) => {
    const host = {
      bindingsLike: () => clientOf(bindings as State[], { goneAt: goneAt as number, oldest: oldest as number }),
      works: clientOf(works as State[], { oldest: oldest as number }),
    } as unknown as Parameters<typeof recordAt>[0];
    const now = (works as Work[]).slice(-1);
    const record = await recordAt(host, { binding: undefined, works: now }, moment);
    expect(preserveOf(record.binding)).toBe(onBinding);
    expect(record.works.map(({ spec }) => spec.preserveResourcesOnDeletion)).toEqual(onWorks);
  });
});
