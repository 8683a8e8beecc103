// Is an object of any kind, after it was taken over and let go of, what it was before, and whose it was before?
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshName } from "../support/case-kubectl.js";
import {
  allApplied,
  allReleased,
  comparable,
  descendants,
  MARK,
  readAll,
  still,
  told,
  yaml,
} from "../support/round-trip.js";
import { changed, roundTripRows, unchanged } from "../support/round-trip-objects.js";
import { cleanUp, policiesFor, widgetKindsOn } from "../support/round-trip-world.js";

const MEMBER = "member1";

const MADE_BY_CONTROLLERS = ["ReplicaSet", "ControllerRevision", "Endpoints", "EndpointSlice", "Pod"];

/** How the objects come about in the member, and how their owners declare them again afterwards. */
const WAYS = [
  { way: "kubectl apply", make: ["apply"], again: [["apply"], ["apply", "--server-side"]] },
  { way: "kubectl apply --server-side", make: ["apply", "--server-side"], again: [["apply", "--server-side"]] },
  { way: "helm", make: ["create", "--field-manager=helm"], again: [["apply", "--field-manager=helm"]] },
] as const;

const kinds = widgetKindsOn(MEMBER);

/** Back to the revision that was made under Holdfast: whatever it had put into pod templates would come back. */
async function undo(namespace: string): Promise<void> {
  for (const kind of ["deployment", "statefulset", "daemonset"]) {
    await told(MEMBER, ["rollout", "undo", `${kind}/rt-${kind}`, "-n", namespace]);
  }
}

/** Neither the objects nor what controllers make of them bear a mark; controllers take a moment to follow. */
async function unmarked(namespace: string, objects: readonly KubeObject[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const made = await descendants(MEMBER, namespace);
      const marked = [...(await readAll(MEMBER, objects)), ...made].filter(isMarked);
      expect(marked.map(({ kind, metadata }) => [kind, metadata])).toEqual([]);
      // None of them is without a mark for want of being there.
      expect(made.map(({ kind }) => kind)).toEqual(expect.arrayContaining(MADE_BY_CONTROLLERS));
    },
    { timeout: 20_000, interval: 500 },
  );
}

/** In its metadata, in the pod template that it holds, or in the revision of one that it keeps. */
function isMarked({ metadata, spec, data }: KubeObject): boolean {
  const template = spec && typeof spec === "object" && "template" in spec ? spec.template : undefined;
  return MARK.test(JSON.stringify([metadata, template, data]));
}

describe.concurrent.each(WAYS)("objects made by $way", ({ make, again }) => {
  describe.concurrent.each([
    { template: "says the same", isChanged: false },
    { template: "changes something", isChanged: true },
  ])("whose template $template", ({ isChanged }) => {
    it("are what they were, and whose they were", { timeout: 300_000 }, async ({ onTestFinished }) => {
      const namespace = freshName("rt");
      const rows = roundTripRows({ namespace, suffix: namespace, ...kinds });
      const originals = rows.map(({ object }) => object);
      const templates = isChanged ? rows.map(({ object, change }) => changed(object, change)) : originals;
      const space: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      onTestFinished(() => cleanUp(namespace, MEMBER, originals));
      await applied(MEMBER, space);
      await told(MEMBER, [...make, "-f", "-"], yaml(originals));
      const before = await still(MEMBER, originals);

      await applied("host", space, ...policiesFor(namespace, MEMBER, rows), ...templates);
      const works = await allApplied(templates, MEMBER);
      const held = await readAll(MEMBER, originals);
      const adopted = works.map(work => conditionOf(work, "Adopted")?.status);
      const snapshots = await told("host", ["get", "snap", "-n", `karmada-es-${MEMBER}`, "-o", "name"]);
      await told("host", ["delete", "--wait=false", "-f", "-"], yaml(templates));
      await allReleased(templates, MEMBER);
      const after = await still(MEMBER, originals);

      expect(held.filter(({ metadata }) => !MARK.test(JSON.stringify(metadata.labels)))).toEqual([]);
      expect(adopted).toEqual(originals.map(() => "True"));
      for (const work of works) expect(snapshots).toContain(work.metadata.name);
      const restored = rows.map(({ change }, index) => {
        const object = after[index] ?? originals[index];
        return object && isChanged ? comparable(unchanged(object, change), change) : object && comparable(object);
      });
      const expected = before.map((object, index) => comparable(object, isChanged ? rows[index]?.change : undefined));
      expect(restored).toEqual(expected);
      const left = await told("host", ["get", "snap", "-n", `karmada-es-${MEMBER}`, "-o", "name"]);
      for (const work of works) expect(left).not.toContain(work.metadata.name);

      await unmarked(namespace, originals);
      for (const command of again) await told(MEMBER, [...command, "-f", "-"], yaml(originals));
      if (isChanged) await undo(namespace);
      await unmarked(namespace, originals);
    });
  });
});
