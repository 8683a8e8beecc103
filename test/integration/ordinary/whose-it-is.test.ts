// Is an object that is not ours told apart from a copy of ours whose update fails, before a template is deleted?
import { expect, it, onTestFinished } from "vitest";
import { TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, kubectl, warningsIn } from "../support/case-kubectl.js";
import { cli } from "../support/cli.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, policyFor, type Held } from "./held-objects.js";

async function space(): Promise<string> {
  const name = freshName("whose");
  const labels = { [TEMPLATES_LABEL]: "true" };
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  onTestFinished(async () => {
    await kubectl("host", ["-n", name, "delete", "pp", "--all", "--wait=false"]);
    for (const side of ["host", "member1"] as const) await kubectl(side, ["delete", "namespace", name, "--wait=false"]);
  });
  return name;
}

const itemsOf = (namespace: string) =>
  told("host", ["-n", namespace, "get", "rb", "-o", "jsonpath={.items[0].status.aggregatedStatus}"]);

it("says that what was there before stays", async () => {
  const namespace = await space();
  const held = heldObjects(namespace).filter(({ object }) => object.kind === "Deployment");
  await applied("member1", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await applied("member1", ...held.map(({ object }) => object));
  await applied("host", policyFor(namespace, held), ...held.map(({ object }) => object));
  await eventually("it is refused there, and made elsewhere", async () => {
    const items = await itemsOf(namespace);
    return items.includes('"presence":"Foreign"') && items.includes('"applied":true');
  });

  const said = await kubectl("host", ["-n", namespace, "delete", "deploy", "a-deployment", "--dry-run=server"]);
  expect(warningsIn(said)).toContain(`Deployment ${namespace}/a-deployment: stays in member1, where it is not ours`);
  const foreseen = await cli(["templates", "release", namespace, "--delete", "--dry-run"]);
  expect(foreseen.stdout).toMatch(/a-deployment +member1 +is not ours, and stays/);
  expect(foreseen.stdout).toMatch(/a-deployment +member2 +is deleted/);
  const all = await kubectl("host", ["delete", "namespace", namespace, "--dry-run=server"]);
  expect(warningsIn(all)).toContain(
    `Namespace ${namespace}: objects of their names that are not ours and stay: 1 in member1`,
  );

  expect(await cli(["templates", "release", namespace, "--delete", "-y"])).toMatchObject({ code: 0 });
  expect(await told("member1", ["-n", namespace, "get", "deploy", "-o", "name"])).toContain("a-deployment");
});

it("says that a copy of ours goes, also while its update fails", async () => {
  const namespace = await space();
  const metadata = { namespace, name: "cfg" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
  const policy = policyFor(namespace, [{ object: { ...object, spec: {} } } as Held]);
  await applied("host", policy, object);
  await eventually("it is there", () => told("member2", ["-n", namespace, "get", "cm", "cfg", "-o", "name"]));
  // An immutable ConfigMap takes no other data.
  await told("member2", ["-n", namespace, "patch", "cm", "cfg", "--type=merge", "-p", '{"immutable":true}']);
  await applied("host", { ...object, data: { a: "2" } });
  await eventually("the update is refused", async () => (await itemsOf(namespace)).includes('"presence":"Ours"'));

  const said = await kubectl("host", ["-n", namespace, "delete", "cm", "cfg", "--dry-run=server"]);
  expect(warningsIn(said)).toEqual([`ConfigMap ${namespace}/cfg: will be deleted in member1, member2`]);
});
