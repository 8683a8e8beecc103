// Do `holdfast check` and `version` tell what is broken, and only that?
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../../../cli/check/finding.js";
import { run } from "../../../../cli/program.js";
import type { VersionReport } from "../../../../cli/version/report.js";
import { eventually } from "../../support/eventually.js";
import { breakable } from "../../support/faults.js";
import { Site } from "../../support/site.js";
import packageJson from "../../../../package.json" with { type: "json" };

const clusters = breakable();

interface Said<T> {
  readonly code: number;
  readonly data: T;
}

async function ask<T>(cluster: string, ...args: readonly string[]): Promise<Said<T>> {
  let [text, errors] = ["", ""];
  const world = {
    env: {},
    stdout: { write: (more: string) => (text += more) },
    stderr: { write: (more: string) => (errors += more) },
  };
  const { host, members } = clusters.env();
  const access = cluster === "host" ? host : members[cluster];
  const code = await run([...args, "-o", "json", "--kubeconfig", access?.kubeconfig ?? ""], world);
  expect(text, errors).not.toBe("");
  return { code, data: JSON.parse(text) as T };
}

interface Checked {
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

const check = (cluster: string, ...args: readonly string[]): Promise<Said<Checked>> =>
  ask<Checked>(cluster, "check", ...args);
const failedIn = ({ data }: Said<Checked>): string[] =>
  data.checks.filter(({ outcome }) => outcome === "failed").map(one => one.check);

describe("check", () => {
  it("finds nothing where all is well", async () => {
    const said = await check("host");
    expect(failedIn(said)).toEqual([]);
    expect(said).toMatchObject({ code: 0, data: { ok: true } });
    const looked = said.data.checks.map(one => one.check);
    expect(looked).toEqual(
      expect.arrayContaining(["crds", "watcher", "webhooks", "admission", "certificate", "hold", "member member1"]),
    );
  });

  it("finds the watcher that does not lead, and the member that does not answer", async () => {
    await clusters.kill("member2-apiserver");
    await clusters.untilReady("member2", "False");
    await clusters.kill("watcher");

    const said = await check("host");

    expect(said.code).toBe(1);
    expect(failedIn(said)).toEqual(["watcher", "member member2"]);
    expect(said.data.checks.find(one => one.check === "watcher")?.message).toContain("has not renewed its Lease");
  });

  it("finds admission that does not answer", async () => {
    await clusters.stop("admission");
    const said = await check("host", "--request-timeout", "3s");
    await clusters.start("admission");

    expect(failedIn(said)).toEqual(expect.arrayContaining(["admission", "certificate"]));
    await eventually("admission answers", async () => (await check("host")).code === 0, 30_000);
  });

  it("says of a cluster without Holdfast that it is not there, and whether it could be", async () => {
    expect(failedIn(await check("member1"))).toEqual(["installation"]);
    expect(await check("member1", "--pre")).toMatchObject({ code: 0, data: { ok: true } });
  });

  it("refuses, before an installation, a host with CRDs of Karmada", async () => {
    const name = "works.work.karmada.io";
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }];
    const names = { plural: "works", singular: "work", kind: "Work" };
    const crd = {
      ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name } },
      spec: { group: "work.karmada.io", scope: "Namespaced", names, versions },
    };
    const member = Site.of(clusters.env(), "member1");
    onTestFinished(async () => {
      await member.delete({ kind: crd.kind, name });
      await member.close();
    });
    await member.applyObject(crd);

    const said = await check("member1", "--pre");

    expect(said.code).toBe(1);
    expect(failedIn(said)).toEqual(["crds"]);
  });
});

describe("version", () => {
  it("tells all versions, the operator's by its own word", async () => {
    const { code, data } = await ask<VersionReport>("host", "version");

    expect(code).toBe(0);
    expect(data).toMatchObject({
      client: { version: packageJson.version },
      operator: { version: packageJson.version, namespace: "holdfast-system" },
      crds: { version: packageJson.version, missing: [], unmarked: [] },
      warnings: [],
    });
    expect(data.members.map(({ name }) => name)).toEqual(["member1", "member2"]);
    expect(data.members.every(({ version }) => version?.startsWith("v1."))).toBe(true);
  });

  it("says with its exit code that the operator's version is not known", async () => {
    expect(await ask<VersionReport>("member1", "version")).toMatchObject({ code: 4, data: { operator: {} } });
  });
});
