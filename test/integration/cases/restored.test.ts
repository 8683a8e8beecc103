// Is an object of any kind, after it was changed under Holdfast and put back, what it was before, in values and ownership?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { parseFields } from "../../../lib/domain/field-tree.js";
import { withoutKeys } from "../../../lib/domain/json-value.js";
import { CASCADE_DELETION_ANNOTATION } from "../../../lib/domain/marks.js";
import { applied, freshName } from "../support/case-kubectl.js";
import {
  allApplied,
  allReleased,
  COUNTERS,
  MARK,
  ownersIn,
  readAll,
  still,
  told,
  yaml,
} from "../support/round-trip.js";
import { changed, roundTripRows } from "../support/round-trip-objects.js";
import { cleanUp, policiesFor, widgetKindsOn } from "../support/round-trip-world.js";

const MEMBER = "member1";
const kinds = widgetKindsOn(MEMBER);

/** Everything but what the member's own controllers count and report, and when somebody wrote. */
function lasting(object: KubeObject): unknown {
  const { managedFields = [], annotations = {}, ...metadata } = object.metadata;
  const entries = managedFields.filter(({ subresource }) => subresource !== "status");
  return {
    ...object,
    status: undefined,
    metadata: {
      ...metadata,
      generation: undefined,
      resourceVersion: undefined,
      annotations: withoutKeys(annotations, key => COUNTERS.includes(key)),
      owners: ownersIn(entries, COUNTER_FIELDS),
    },
  };
}

const COUNTER_FIELDS = parseFields({
  "f:metadata": { "f:annotations": Object.fromEntries(COUNTERS.map(key => [`f:${key}`, {}])) },
});

describe.concurrent.each([
  { way: "kubectl apply", make: ["apply"], again: ["apply"] },
  { way: "kubectl apply --server-side", make: ["apply", "--server-side"], again: ["apply", "--server-side"] },
  { way: "helm", make: ["create", "--field-manager=helm"], again: [] },
])("objects made by $way", ({ make, again }) => {
  it("have the values and the owners of before", { timeout: 300_000 }, async ({ onTestFinished }) => {
    const namespace = freshName("back");
    const rows = roundTripRows({ namespace, suffix: namespace, ...kinds });
    const originals = rows.map(({ object }) => object);
    const templates = rows.map(({ object, change }) => annotated(changed(object, change)));
    const space: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    onTestFinished(() => cleanUp(namespace, MEMBER, originals));
    await applied(MEMBER, space);
    await told(MEMBER, [...make, "-f", "-"], yaml(originals));
    const before = await still(MEMBER, originals);

    await applied("host", space, ...policiesFor(namespace, MEMBER, rows), ...templates);
    const works = await allApplied(templates, MEMBER);
    const held = await readAll(MEMBER, originals);
    await told("host", ["delete", "--wait=false", "-f", "-"], yaml(templates));
    await allReleased(templates, MEMBER);
    const after = await still(MEMBER, originals);

    expect(works.map(({ spec }) => spec.cascadeDeletion)).toEqual(works.map(() => "restore"));
    expect(held.map(lasting)).not.toEqual(before.map(lasting));
    expect(after.map(lasting)).toEqual(before.map(lasting));
    expect(after.filter(({ metadata }) => MARK.test(JSON.stringify(metadata)))).toEqual([]);
    if (again.length > 0) await told(MEMBER, [...again, "-f", "-"], yaml(originals));
    const generations = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.generation);
    expect(generations(await readAll(MEMBER, originals))).toEqual(generations(after));
  });
});

function annotated(template: KubeObject): KubeObject {
  const annotations = { ...template.metadata.annotations, [CASCADE_DELETION_ANNOTATION]: "restore" };
  return { ...template, metadata: { ...template.metadata, annotations } };
}
