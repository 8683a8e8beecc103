// What does Argo CD show while a member is in trouble, and when it is mended?
import { afterAll, describe, expect, it } from "vitest";
import { start, stop } from "../../hack/clusters/index.js";
import { linesOf } from "./support/application.js";
import { gitOps } from "./support/gitops.js";
import { freshName, inWave, shopPolicy, templateNamespace, web } from "../gitops/shop.js";

const open = gitOps();

afterAll(() => start(open().env.dir, "member2-apiserver"));

/** A namespace with a policy and a Deployment, from Git. */
async function shopFromGit(spec: object = {}) {
  const gitops = open();
  const [name, repository] = [freshName("trouble"), await gitops.repository()];
  const policies = [templateNamespace(name), shopPolicy(name, spec)].map(object => inWave(-1, object));
  const revision = await repository.commit({ "policies.yaml": policies, "web.yaml": [web(name)] });
  return { gitops, name, repository, revision, wish: { name, repoURL: repository.url, path: "." } };
}

describe("a member in trouble", () => {
  it("that refuses the copy: Degraded, in its own words; Healthy once the way is free", async () => {
    const { gitops, name, wish } = await shopFromGit();
    const inTheWay = { kind: "Deployment", namespace: name, name: "web" };
    await gitops.member2.applyObject({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await gitops.member2.applyObject(web(name, "registry.example/other:1.0", 1));
    await gitops.apply(wish);

    const broken = await gitops.until(name, "is Degraded", ({ health }) => health?.status === "Degraded");
    expect(broken.sync?.status).toBe("Synced");
    expect(linesOf(broken).join("\n")).toMatch(/Deployment .*Degraded.*member2/);

    await gitops.member2.delete(inTheWay);
    await gitops.untilWell(name);
  });

  it("whose pods do not start: not Healthy; Healthy again with a mended manifest", async () => {
    const { gitops, name, wish, repository } = await shopFromGit();
    await gitops.apply(wish);
    await gitops.untilWell(name);

    const sick = web(name);
    const spec = sick["spec"] as { template: { spec: object } };
    Object.assign(spec, { progressDeadlineSeconds: 5 });
    Object.assign(spec.template.spec, { nodeSelector: { nowhere: "true" } });
    await repository.commit({ "web.yaml": [sick] });
    await gitops.refreshed(name);
    const broken = await gitops.until(name, "is Degraded", ({ health }) => health?.status === "Degraded");
    expect(linesOf(broken).join("\n")).toMatch(/Deployment .*Degraded/);

    const mended = await repository.commit({ "web.yaml": [web(name)] });
    await gitops.refreshed(name);
    await gitops.untilWell(name, mended);
  });

  it("that does not answer: a change is not Healthy until it is back and has it", async () => {
    const { gitops, name, wish, repository } = await shopFromGit();
    await gitops.apply(wish);
    await gitops.untilWell(name);
    await stop(gitops.env.dir, "member2-apiserver");

    const revision = await repository.commit({ "web.yaml": [web(name, "registry.example/web:2.0")] });
    await gitops.refreshed(name);
    const waiting = await gitops.until(name, "is at the new revision", ({ sync, health }) => {
      return sync?.status === "Synced" && sync.revision === revision && health?.status !== "Healthy";
    });
    expect(linesOf(waiting).join("\n")).toMatch(/Deployment .*(Progressing|Degraded)/);
    await expect(gitops.untilWell(name, revision, 10_000)).rejects.toThrow();

    await start(gitops.env.dir, "member2-apiserver");
    await gitops.untilWell(name, revision);
  });

  it("that is in Git itself is Degraded while it does not answer", async () => {
    const { gitops, name, repository } = await shopFromGit();
    const member2 = await gitops.host.find({ kind: "Cluster", name: "member2" });
    if (!member2) throw new Error("there is no Cluster member2");
    const { apiVersion, kind, metadata } = member2;
    const taints = [{ key: "example.com/old", effect: "PreferNoSchedule" }];
    const spec = { ...(member2["spec"] as object), taints };
    const annotations = { "argocd.argoproj.io/sync-options": "Delete=false,Prune=false" };
    await repository.commit({
      "fleet/member2.yaml": [{ apiVersion, kind, metadata: { name: metadata.name, annotations }, spec }],
    });
    await gitops.apply({ name, repoURL: repository.url, path: "fleet" });
    await gitops.untilWell(name);

    await stop(gitops.env.dir, "member2-apiserver");
    const broken = await gitops.until(name, "is Degraded", ({ health }) => health?.status === "Degraded");
    expect(linesOf(broken)).toEqual([expect.stringMatching(/^Cluster member2: Synced, Degraded/)]);
    expect(broken.sync?.status).toBe("Synced");
    const tainted = await gitops.host.find({ kind: "Cluster", name: "member2" });
    expect((tainted?.["spec"] as { taints?: unknown }).taints).toEqual(taints);
    await start(gitops.env.dir, "member2-apiserver");
    await gitops.untilWell(name);

    await gitops.delete(name);
    await gitops.untilGone(name);
    await gitops.host.patch({ kind: "Cluster", name: "member2" }, { spec: { taints: null } });
    expect((await gitops.host.find({ kind: "Cluster", name: "member2" }))?.metadata).toMatchObject({
      uid: metadata.uid,
    });
  });
});
