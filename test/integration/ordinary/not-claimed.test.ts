// Does a person learn why something is held here and goes nowhere, although a policy selects it?
import { expect, it, onTestFinished } from "vitest";
import { TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, kubectl } from "../support/case-kubectl.js";
import { cli } from "../support/cli.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, policyFor } from "./held-objects.js";

it("tells of what a controller made, by an Event, a tree and a table", async () => {
  const namespace = freshName("made");
  const labels = { [TEMPLATES_LABEL]: "true" };
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  onTestFinished(async () => {
    await kubectl("host", ["-n", namespace, "delete", "pp", "--all", "--wait=false"]);
    await kubectl("host", ["delete", "namespace", namespace, "--wait=false"]);
  });
  await applied("host", { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "app" } });
  const uid = await told("host", ["-n", namespace, "get", "cm", "app", "-o", "jsonpath={.metadata.uid}"]);
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "app", uid, controller: true };
  const held = heldObjects(namespace).filter(({ object }) => object.kind === "Deployment");
  const made = held.map(({ object }) => ({ ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }));
  await applied("host", policyFor(namespace, held), ...made);

  const why = `PropagationPolicy ${namespace}/all selects it, but it is no template: ConfigMap app made it; select the ConfigMap, or name this object in a policy`;
  const note = await eventually("an Event says it", () =>
    told("host", [
      "-n",
      namespace,
      "get",
      "events.events.k8s.io",
      "-o",
      "jsonpath={.items[?(@.reason=='NotATemplate')].note}",
    ]),
  );
  expect(note).toBe(`held here, and sent nowhere: ${why}`);
  expect((await cli(["tree", "deploy/a-deployment", "-n", namespace])).stderr).toContain(why);
  expect((await cli(["get", "deploy/a-deployment", "-n", namespace])).stderr).toContain(
    `deployment.apps/a-deployment goes nowhere: ${why}`,
  );
  expect((await cli(["diff", "deploy/a-deployment", "-n", namespace])).stderr).toContain(
    "it is no template: ConfigMap app",
  );
});
