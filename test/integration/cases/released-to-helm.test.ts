// Can helm go on with a release whose objects Holdfast has taken over, changed and let go of?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { CASCADE_DELETION_ANNOTATION } from "../../../lib/domain/marks.js";
import { helmWithChart, type Values } from "../support/case-helm.js";
import { applied, freshName, kubectl, type Side } from "../support/case-kubectl.js";
import { onto, policy } from "../support/case-objects.js";
import { allApplied, allReleased, MARK, readAll, still, told, yaml } from "../support/round-trip.js";

const MEMBER: Side = "member1";
const FIRST: Values = { replicas: 2, tag: "1.0", data: { color: "red", size: "big" } };
const SECOND: Values = { replicas: 2, tag: "2.0", data: { color: "red" } };

const { helm, chart } = helmWithChart();

const objectsIn = (namespace: string): KubeObject[] =>
  [
    { apiVersion: "apps/v1", kind: "Deployment" },
    { apiVersion: "v1", kind: "Service" },
    { apiVersion: "v1", kind: "ConfigMap" },
  ].map(type => ({ ...type, metadata: { namespace, name: "web" } }));

/** What helm has applied, as templates that change some of it. */
async function templatesOf(namespace: string, word: string): Promise<string> {
  const manifest = await helm(MEMBER, ["get", "manifest", "shop", "-n", namespace]);
  return manifest
    .replace("replicas: 2", "replicas: 3")
    .replace("color: red", "color: blue")
    .replaceAll("  name: web\n", `  name: web\n  annotations: {${CASCADE_DELETION_ANNOTATION}: ${word}}\n`);
}

/** As much of the objects as the chart's values decide. */
async function valuesIn(namespace: string) {
  const [deployment, , config] = await readAll(MEMBER, objectsIn(namespace));
  const spec = deployment?.["spec"] as {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly image: string }] } };
  };
  const tag = spec.template.spec.containers[0].image.split(":").at(-1);
  return { replicas: spec.replicas, tag, data: config?.["data"] };
}

describe("a release of helm", () => {
  it.concurrent.for([
    { word: "orphan", left: { replicas: 3, tag: "1.0", data: { color: "blue", size: "big" } } },
    { word: "restore", left: FIRST },
  ])(
    "is upgraded, rolled back and uninstalled after `$word` has let go of it",
    async ({ word, left }, { onTestFinished }) => {
      const namespace = freshName("helm");
      const objects = objectsIn(namespace);
      const space: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      onTestFinished(() => cleanUp(namespace));
      const release = ["shop", "-n", namespace];
      await helm(MEMBER, ["install", ...release, "--create-namespace", ...(await chart(FIRST))]);

      await applied("host", space, takingOver(namespace, objects), await templatesOf(namespace, word));
      await allApplied(objects, MEMBER);
      const held = await valuesIn(namespace);
      await told("host", ["delete", "--wait=false", "-f", "-"], yaml(objects));
      await allReleased(objects, MEMBER);

      expect(held).toEqual({ replicas: 3, tag: "1.0", data: { color: "blue", size: "big" } });
      expect(await valuesIn(namespace)).toEqual(left);
      const released = await still(MEMBER, objects);
      expect(released.filter(({ metadata }) => MARK.test(JSON.stringify(metadata)))).toEqual([]);

      await helm(MEMBER, ["upgrade", ...release, ...(await chart(SECOND))]);
      expect(await valuesIn(namespace)).toEqual(SECOND);
      const upgraded = await readAll(MEMBER, objects);
      expect(upgraded.map(({ metadata }) => metadata.uid)).toEqual(released.map(({ metadata }) => metadata.uid));

      await helm(MEMBER, ["rollback", ...release, "1"]);
      expect(await valuesIn(namespace)).toEqual(FIRST);

      await helm(MEMBER, ["uninstall", ...release, "--wait"]);
      const gone = await kubectl(MEMBER, ["get", "--ignore-not-found", "-o", "name", "-f", "-"], yaml(objects));
      expect(gone).toEqual({ code: 0, text: "" });
    },
  );
});

function takingOver(namespace: string, objects: readonly KubeObject[]): KubeObject {
  const resourceSelectors = objects.map(({ apiVersion, kind, metadata: { name } }) => ({ apiVersion, kind, name }));
  return policy(namespace, "shop", { resourceSelectors, placement: onto(MEMBER), conflictResolution: "Overwrite" });
}

async function cleanUp(namespace: string): Promise<void> {
  for (const side of ["host", MEMBER] as const) {
    await kubectl(side, ["delete", "namespace", namespace, "--wait=false", "--ignore-not-found"]);
  }
}
