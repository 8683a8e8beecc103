// Is what becomes of a copy told by the word that will count, and never better than it is?
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CASCADE_DELETION_ANNOTATION } from "../../lib/domain/marks.js";
import { ALREADY_EXISTS } from "../../lib/domain/presence.js";
import { cascadeFields } from "../../lib/domain/work-word.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { configMap, workFor } from "../view/samples.js";
import { fateInWords, statusOf } from "./status.js";

interface Given {
  /** What the template says itself. */
  readonly own?: string;
  /** What the binding has on record for m1. */
  readonly recorded?: Omit<ClusterDeletion, "name" | "decidedBy">;
  /** The policy's field, as the binding has it. */
  readonly preserve?: boolean;
  /** What the Work in m1 says; absent: there is none. */
  readonly inWork?: Cascade;
  readonly origin?: "Created" | "Adopted" | "Unknown";
}

function worded(own: string | undefined): KubeObject {
  const bare = configMap("web", "u1");
  const annotations: Record<string, string> = own === undefined ? {} : { [CASCADE_DELETION_ANNOTATION]: own };
  return { ...bare, metadata: { ...bare.metadata, annotations } };
}

function workSaying(word: Cascade, origin: Given["origin"]): Work {
  const work = workFor(configMap("web"), origin && { uid: "u2", origin });
  return { ...work, spec: { ...work.spec, ...cascadeFields(word) } };
}

function statusFor({ own, recorded, preserve, inWork, origin }: Given, given?: Work) {
  const template = worded(own);
  const binding = {
    metadata: { name: "web-configmap", namespace: "shop" },
    spec: {
      clusters: [{ name: "m1" }],
      preserveResourcesOnDeletion: preserve,
      ...(recorded && { clusterDeletion: [{ name: "m1", decidedBy: "somebody", ...recorded }] }),
    },
  } as unknown as AnyBinding;
  const work = given ?? (inWork && workSaying(inWork, origin));
  return statusOf({
    name: { resource: { ...CONFIG_MAPS, verbs: [], subresources: [] }, namespace: "shop", name: "web" },
    reference: template,
    template,
    binding,
    works: work ? [{ cluster: "m1", work }] : [],
  });
}

const byTemplate = (cascadeDeletion: Cascade) => ({ cascadeDeletion, reason: "TemplateAnnotation" as const });
const byRule = (cascadeDeletion: Cascade) => ({ cascadeDeletion, reason: "CascadeDeletionPolicy" as const });

describe("statusOf", () => {
  it.each`
    what                                        | given                                                                      | stays    | isInWork
    ${"the policy's field keeps"}               | ${{ preserve: true, inWork: "orphan" }}                                    | ${true}  | ${true}
    ${"nobody says anything"}                   | ${{ inWork: "background" }}                                                | ${false} | ${true}
    ${"its own word keeps, everywhere"}         | ${{ own: "orphan", recorded: byTemplate("orphan"), inWork: "orphan" }}     | ${true}  | ${true}
    ${"its own word keeps, not in the Work"}    | ${{ own: "orphan", recorded: byTemplate("orphan"), inWork: "background" }} | ${true}  | ${false}
    ${"its own word keeps, not on record yet"}  | ${{ own: "orphan", inWork: "background" }}                                 | ${true}  | ${false}
    ${"it says so, as the policy does already"} | ${{ own: "orphan", preserve: true, inWork: "orphan" }}                     | ${true}  | ${false}
    ${"its own new word deletes"}               | ${{ own: "background", recorded: byTemplate("orphan"), inWork: "orphan" }} | ${false} | ${false}
    ${"its own word is none that we know"}      | ${{ own: "perhaps", recorded: byTemplate("orphan"), inWork: "orphan" }}    | ${true}  | ${true}
    ${"there is no Work yet"}                   | ${{ preserve: true }}                                                      | ${true}  | ${false}
    ${"adopted, of what was there before"}      | ${{ recorded: byRule("adopted"), inWork: "adopted", origin: "Adopted" }}   | ${true}  | ${true}
    ${"adopted, of what we made"}               | ${{ recorded: byRule("adopted"), inWork: "adopted", origin: "Created" }}   | ${false} | ${true}
    ${"adopted, where nothing is on record"}    | ${{ recorded: byRule("adopted"), inWork: "adopted" }}                      | ${false} | ${true}
  `("says $stays where $what", ({ given, stays, isInWork }: { given: Given; stays: boolean; isInWork: boolean }) => {
    const { copies, why } = statusFor(given);
    expect(copies).toMatchObject([{ cluster: "m1", stays, isInWork }]);
    expect(why).toBeUndefined();
  });

  it("does not tell of what is not ours that it goes", () => {
    const condition = { type: "Applied", status: "False" as const, message: "", lastTransitionTime: "t" };
    const copyWith = (reason: string, origin?: Given["origin"]) => {
      const work = workSaying("background", origin);
      const status = { ...work.status, conditions: [{ ...condition, reason }] };
      return statusFor({}, { ...work, status }).copies;
    };
    const [foreign] = copyWith(ALREADY_EXISTS);
    expect(foreign).toMatchObject({ presence: "Foreign", stays: true });
    const said = [copyWith(ALREADY_EXISTS), copyWith("AppliedFailed"), copyWith("AppliedFailed", "Created")].flat();
    expect(said.map(fateInWords)).toEqual(["is not ours, and stays", "is deleted, if it is ours", "is deleted"]);
  });

  it("does not take a word that was taken off for one that holds", () => {
    expect(statusFor({ recorded: byTemplate("orphan"), inWork: "orphan" }).why).toContain("taken off");
  });

  it("also tells of a Work in a cluster that the binding does not name any more", () => {
    const standing = { works: [{ cluster: "m0", work: workSaying("orphan", undefined) }] };
    const template = worded(undefined);
    const binding = { metadata: { name: "b" }, spec: { clusters: [{ name: "m1" }] } } as unknown as AnyBinding;
    const resource = { ...CONFIG_MAPS, verbs: [], subresources: [] };
    const status = statusOf({ ...standing, name: { resource, name: "web" }, reference: template, template, binding });
    expect(status.copies.map(({ cluster }) => cluster)).toEqual(["m0", "m1"]);
  });

  it.each`
    what             | template            | why
    ${"no template"} | ${undefined}        | ${"the host does not have it"}
    ${"no binding"}  | ${worded("orphan")} | ${"no policy has placed it"}
  `("says why nothing can be said of $what", ({ template, why }: { template: KubeObject | undefined; why: string }) => {
    const resource = { ...CONFIG_MAPS, verbs: [], subresources: [] };
    const name = { resource, namespace: "shop", name: "web" };
    const status = statusOf({ name, reference: worded(undefined), template, binding: undefined, works: [] });
    expect(status.copies).toEqual([]);
    expect(status.why).toContain(why);
  });
});
