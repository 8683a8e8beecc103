// Is a deletion taken for witnessed only where nothing can have been written in between?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import { LeavingTemplates } from "./leaving-templates.js";

const KEY = "shop/web-deployment";
const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };

function web(resourceVersion: string, leaving: boolean, more: Partial<KubeObject["metadata"]> = {}): KubeObject {
  const { namespace, name, ...type } = ref;
  const deletion = leaving ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
  const metadata = { namespace, name, uid: "u", resourceVersion, finalizers: [LET_GO_FINALIZER], ...deletion, ...more };
  return { ...type, metadata };
}

const [alive, going, later] = [web("10", false), web("20", true), web("30", true)];

describe("LeavingTemplates", () => {
  it.each`
    given                                                 | before                            | watched      | witnessed
    ${"a watch that told of the deletion as it happened"} | ${alive}                          | ${true}      | ${true}
    ${"a list that shows it afterwards"}                  | ${alive}                          | ${undefined} | ${false}
    ${"a template that was leaving when first seen"}      | ${undefined}                      | ${true}      | ${false}
    ${"one that was leaving already"}                     | ${web("15", true)}                | ${true}      | ${false}
    ${"another object of the same name before it"}        | ${web("10", false, { uid: "v" })} | ${true}      | ${false}
  `("is witnessed: $witnessed for $given", ({ before, watched, witnessed }) => {
    const leaving = new LeavingTemplates();

    leaving.note(KEY, ref, { key: "shop/web", before: before as KubeObject, after: going, watched: watched as true });

    expect(leaving.firstSight(later)).toEqual({ template: going, witnessed });
  });

  it("keeps to the first sight: what is written later comes too late", () => {
    const leaving = new LeavingTemplates();
    leaving.note(KEY, ref, { key: "shop/web", before: alive, after: going, watched: true });

    leaving.note(KEY, ref, { key: "shop/web", before: going, after: later, watched: true });

    expect(leaving.firstSight(later)).toEqual({ template: going, witnessed: true });
  });

  it("takes one that it has not seen as it is, unwitnessed", () => {
    expect(new LeavingTemplates().firstSight(later)).toEqual({ template: later, witnessed: false });
  });

  it.each`
    given                        | template                               | found
    ${"one that waits for us"}   | ${going}                               | ${ref}
    ${"one that does not wait"}  | ${web("20", true, { finalizers: [] })} | ${undefined}
    ${"one that is not leaving"} | ${alive}                               | ${undefined}
  `("finds $found by the binding's key for $given", ({ template, found }) => {
    const leaving = new LeavingTemplates();

    leaving.note(KEY, ref, { key: "shop/web", before: alive, after: template as KubeObject, watched: true });

    expect(leaving.behind(KEY)).toEqual(found);
  });

  it("forgets one that is gone", () => {
    const leaving = new LeavingTemplates();
    leaving.note(KEY, ref, { key: "shop/web", before: alive, after: going, watched: true });

    leaving.forget(KEY, "u");

    expect(leaving.behind(KEY)).toBeUndefined();
    expect(leaving.firstSight(later)).toEqual({ template: later, witnessed: false });
  });
});
