// Does a namespace of templates become an ordinary one again only in words first, and are templates restarted and taken back?
import { describe, expect, it, onTestFinished } from "vitest";
import { TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, kubectl } from "../support/case-kubectl.js";
import { cli } from "../support/cli.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, policyFor } from "./held-objects.js";

async function space(labels: object = { [TEMPLATES_LABEL]: "true" }): Promise<string> {
  const name = freshName("release");
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  onTestFinished(async () => {
    await kubectl("host", ["-n", name, "delete", "pp", "--all", "--wait=false"]);
    await kubectl("host", ["delete", "namespace", name, "--wait=false"]);
  });
  return name;
}

const fieldOf = (side: "host" | "member1" | "member2", namespace: string, object: string, path: string) =>
  told(side, ["-n", namespace, "get", object, "-o", `jsonpath={${path}}`]);

const labelsOf = (name: string) => told("host", ["get", "namespace", name, "-o", "jsonpath={.metadata.labels}"]);

const podsOn = async (namespace: string): Promise<string> =>
  told("host", ["-n", namespace, "get", "pods", "-o", "jsonpath={.items[*].metadata.name}"]);

describe("holdfast templates release", () => {
  it("says what would start, and starts it when told to: also what has to be made again", async () => {
    const name = await space();
    const held = heldObjects(name);
    await applied("host", ...held.map(({ object }) => object));
    const foreseen = await cli(["templates", "release", name, "--run", "--dry-run"]);
    expect(foreseen.code).toBe(0);
    expect(foreseen.stdout).toMatch(/deployment\.apps\/a-deployment +2 pod\(s\) +as it is/);
    expect(foreseen.stdout).toMatch(/job\.batch\/a-job +1 pod\(s\) +made again/);
    expect(await labelsOf(name)).toContain(TEMPLATES_LABEL);
    expect((await cli(["templates", "release", name, "--run"])).stderr).toContain("nobody is there to be asked");

    expect(await cli(["templates", "release", name, "--run", "-y"])).toMatchObject({ code: 0, stderr: "" });
    expect(await labelsOf(name)).not.toContain(TEMPLATES_LABEL);
    expect(await told("host", ["get", "namespace", name, "-o", "jsonpath={.metadata.annotations}"])).not.toContain(
      "released",
    );
    await eventually(
      "all of it runs here",
      async () => {
        const pods = await podsOn(name);
        return ["a-deployment-", "a-statefulset-", "a-daemonset-", "a-replicaset-", "a-job-", "a-pod"].every(p =>
          pods.includes(p),
        );
      },
      60_000,
    );
    const all = await told("host", ["-n", name, "get", "deploy,cronjob,job,pod,svc,pvc,pdb,hpa", "-o", "yaml"]);
    expect(all.replace(/.*last-applied.*\n.*/g, "")).not.toMatch(/holdfast\.dev\/held|holdfast-held|holdfast-hold/);
    expect(await fieldOf("host", name, "svc/a-service", ".spec.loadBalancerClass")).toBe("example.com/internal");
  });

  it("leaves alone what has copies and would have to be made again", async () => {
    const name = await space();
    const held = heldObjects(name).filter(({ object }) => /^(Job|Deployment)$/.test(object.kind));
    await applied("host", policyFor(name, held), ...held.map(({ object }) => object));
    await eventually("the Job is in a member", () => fieldOf("member1", name, "job/a-job", ".metadata.uid"));
    const uid = await fieldOf("member1", name, "job/a-job", ".metadata.uid");
    const said = await cli(["templates", "release", name, "--run", "-y"]);
    expect(said.stderr).toContain("job.batch/a-job goes on being held: a policy sends it to members");
    expect(await fieldOf("host", name, "job/a-job", ".spec.managedBy")).toBe("holdfast.dev/held");
    expect(await fieldOf("member1", name, "job/a-job", ".metadata.uid")).toBe(uid);
    await eventually("the Deployment runs here, too", async () => (await podsOn(name)).includes("a-deployment-"));
  });

  it("deletes templates as their policies say, and then the label", async () => {
    const name = await space();
    const held = heldObjects(name).filter(({ object }) => object.kind === "Deployment");
    const policy = policyFor(name, held) as { readonly spec: object };
    await applied("host", { ...policy, spec: { ...policy.spec, preserveResourcesOnDeletion: true } });
    await applied("host", ...held.map(({ object }) => object));
    await eventually("it is in a member", () => fieldOf("member1", name, "deploy/a-deployment", ".metadata.uid"));
    await eventually(
      "its word is known",
      async () => (await cli(["preserve", "status", "deploy/a-deployment", "-n", name])).code === 0,
    );
    const said = await cli(["templates", "release", name, "--delete", "-y"]);
    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toMatch(/deployment\.apps\/a-deployment +member1 +stays/);
    expect(await labelsOf(name)).not.toContain(TEMPLATES_LABEL);
    expect(await fieldOf("member1", name, "deploy/a-deployment", ".metadata.labels")).not.toContain("karmada");
  });

  it("does not touch an ordinary namespace", async () => {
    const name = await space({});
    const [deployment] = heldObjects(name);
    await applied("host", deployment?.object ?? {});
    for (const how of ["--run", "--delete"]) {
      const said = await cli(["templates", "release", name, how, "-y"]);
      expect(said.code).toBe(1);
      expect(said.stderr).toContain("is no namespace of templates");
    }
    expect((await kubectl("host", ["-n", name, "get", "deploy", "a-deployment"])).code).toBe(0);
  });
});

describe("holdfast rollout", () => {
  it("restarts a held Deployment in its members, and takes it back to what it was", async () => {
    const name = await space();
    const held = heldObjects(name).filter(({ object }) => object.kind === "Deployment");
    await applied("host", policyFor(name, held), ...held.map(({ object }) => object));
    const image = (side: "host" | "member1" | "member2") =>
      fieldOf(side, name, "deploy/a-deployment", ".spec.template.spec.containers[0].image");
    await eventually("it is in a member", () => image("member1"));
    expect((await cli(["rollout", "undo", "deploy/a-deployment", "-n", name])).stderr).toContain("no earlier revision");

    await told("host", ["-n", name, "set", "image", "deploy/a-deployment", "web=registry.example/web:2"]);
    await eventually(
      "the new image is there",
      async () => (await image("member2")).endsWith("web:2") && (await image("member1")).endsWith("web:2"),
    );
    await eventually("it has a history", async () =>
      (await fieldOf("member1", name, "deploy/a-deployment", ".metadata.annotations")).includes('"2"'),
    );
    const undone = await cli(["rollout", "undo", "deploy/a-deployment", "-n", name]);
    expect(undone.stderr).toBe("");
    expect(undone).toMatchObject({
      code: 0,
      stdout: "deployment.apps/a-deployment goes back to revision 1 of member1, in every member\n",
    });
    expect(await image("host")).toBe("registry.example/web:1");
    await eventually(
      "the old image is back",
      async () => (await image("member1")).endsWith("web:1") && (await image("member2")).endsWith("web:1"),
    );

    expect((await cli(["rollout", "restart", "deploy/a-deployment", "-n", name])).stdout).toContain(
      "restarts in every member",
    );
    await eventually("members restart", async () =>
      (await fieldOf("member2", name, "deploy/a-deployment", ".spec.template.metadata.annotations")).includes(
        "restartedAt",
      ),
    );
    expect(await fieldOf("host", name, "deploy/a-deployment", ".spec.paused")).toBe("true");
  });

  it("says what rolls nothing out", async () => {
    const name = await space();
    await applied("host", { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: name, name: "cfg" } });
    expect((await cli(["rollout", "restart", "cm/cfg", "-n", name])).stderr).toContain("a ConfigMap rolls nothing out");
  });
});
