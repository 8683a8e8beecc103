// Does the hold stand while the operator does not answer, and is nobody else kept waiting? (design 1)
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { kill, start } from "../../../hack/clusters/index.js";
import { HELD_MARK, TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { apply, applied, freshName, kubectl } from "../support/case-kubectl.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, type Held } from "./held-objects.js";

/** A Deployment near what an API server takes: a review of its update is more than Pepr reads. */
const BIG = 1_200_000;

let templates = "";
let ordinary = "";

async function space(labels: object): Promise<string> {
  const name = freshName("alone");
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  return name;
}

async function labelOf(kind: string, name: string): Promise<string> {
  return told("host", [
    "-n",
    templates,
    "get",
    kind,
    name,
    "-o",
    `jsonpath={.metadata.labels.${HELD_MARK.replace(".", "\\.")}}`,
  ]);
}

const madeHere = async (): Promise<string> =>
  (await told("host", ["-n", templates, "get", "rs,pod,job,controllerrevision", "-o", "name"]))
    .split("\n")
    .filter(name => name && !/\/a-[a-z]+$/.test(name))
    .join("\n");

beforeAll(async () => {
  templates = await space({ [TEMPLATES_LABEL]: "true" });
  ordinary = await space({});
});

afterAll(async () => {
  await kubectl("host", ["delete", "namespace", templates, ordinary, "--wait=false"]);
});

describe("while admission does not answer", () => {
  beforeAll(async () => {
    await kill(inject("clusters"), "admission");
    return async () => {
      await start(inject("clusters"), "admission");
      await eventually("admission answers again", async () => {
        await applied("host", {
          apiVersion: "v1",
          kind: "Service",
          metadata: { namespace: templates, name: "back" },
          spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
        });
        return true;
      });
    };
  });

  it("takes what the admission policies hold alone, and refuses in a sentence what they cannot", async () => {
    const byItself = /^(Pod|Service|PersistentVolumeClaim)$/;
    for (const { object } of heldObjects(templates)) {
      const said = await apply("host", object);
      expect([object.kind, said.code]).toEqual([object.kind, byItself.test(object.kind) ? 1 : 0]);
      if (said.code !== 0) expect(said.text).toContain("Holdfast did not answer to hold back");
    }
    expect(await madeHere()).toBe("");
  });

  it("disturbs nothing in other namespaces", async () => {
    await applied("host", ...heldObjects(ordinary).map(({ object }) => object));
    await eventually("it runs", async () =>
      (await told("host", ["-n", ordinary, "get", "pods", "-o", "name"])).includes("pod/a-deployment-"),
    );
  });

  it("lets a person delete what stands there", async () => {
    await told("host", ["-n", templates, "delete", "deploy", "a-deployment", "--wait=false"]);
  });
});

describe("when admission answers again", () => {
  it("holds by its field what came in between, with the next write to it", async () => {
    const { object } = heldObjects(templates).find(each => each.object.kind === "CronJob") as Held;
    expect(await labelOf("cronjob", object.metadata.name)).toBe("");
    await applied("host", { ...object, metadata: { ...object.metadata, labels: { touched: "yes" } } });
    expect(await labelOf("cronjob", object.metadata.name)).toBe("true");
  });

  it("takes an object near the API server's limit, and holds it", async () => {
    const value = "x".repeat(BIG);
    const { object } = heldObjects(templates)[0] as Held;
    const spec = object.spec as { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
    const containers = [{ ...spec.template.spec.containers[0], env: [{ name: "BIG", value }] }];
    const podTemplate = { ...spec.template, spec: { ...spec.template.spec, containers } };
    const big = { ...object, metadata: { ...object.metadata, name: "big" }, spec: { ...spec, template: podTemplate } };
    await told("host", ["create", "-f", "-"], JSON.stringify(big));
    await told("host", ["-n", templates, "label", "deploy", "big", "touched=yes"]);
    const live = await told("host", [
      "-n",
      templates,
      "get",
      "deploy",
      "big",
      "-o",
      "jsonpath={.spec.paused} {.metadata.labels}",
    ]);
    expect(live).toContain("true ");
    expect(live).toContain('"touched":"yes"');
    expect(await madeHere()).toBe("");
  });
});
