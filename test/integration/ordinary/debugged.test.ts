// Does a held Pod reach its members although somebody wanted to look into it on the host?
import { expect, it, onTestFinished } from "vitest";
import { TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, kubectl } from "../support/case-kubectl.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, policyFor } from "./held-objects.js";

it("never sends what kubectl debug puts into a Pod", async () => {
  const namespace = freshName("debug");
  const labels = { [TEMPLATES_LABEL]: "true" };
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  onTestFinished(async () => {
    await kubectl("host", ["-n", namespace, "delete", "pp", "--all", "--wait=false"]);
    await kubectl("host", ["delete", "namespace", namespace, "--wait=false"]);
  });
  const held = heldObjects(namespace).filter(({ object }) => object.kind === "Pod");
  await applied("host", ...held.map(({ object }) => object));
  const ephemeralContainers = [{ name: "debugger", image: "registry.example/tools:1", targetContainerName: "web" }];
  const debug = ["--subresource=ephemeralcontainers", "--type=strategic"];
  const patch = JSON.stringify({ spec: { ephemeralContainers } });
  await told("host", ["-n", namespace, "patch", "pod", "a-pod", ...debug, "-p", patch]);
  await applied("host", policyFor(namespace, held));

  await eventually(
    "both members have it",
    async () =>
      (await told("host", [
        "-n",
        namespace,
        "get",
        "rb",
        "-o",
        "jsonpath={.items[0].status.aggregatedStatus[*].applied}",
      ])) === "true true",
  );
  // A label goes on reaching them, too.
  await told("host", ["-n", namespace, "label", "pod", "a-pod", "round=two"]);
  await eventually(
    "the change is there",
    async () =>
      (await told("member2", ["-n", namespace, "get", "pod", "a-pod", "-o", "jsonpath={.metadata.labels.round}"])) ===
      "two",
  );
  expect(await told("member1", ["-n", namespace, "get", "pod", "a-pod", "-o", "jsonpath={.spec}"])).not.toContain(
    "debugger",
  );
  expect(await told("host", ["-n", namespace, "get", "pod", "a-pod", "-o", "jsonpath={.spec}"])).toContain("debugger");
});
