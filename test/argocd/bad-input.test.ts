// Does what people do wrong end in a state that Argo CD and kubectl describe alike, with nothing lost?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { HELD_MARK, LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import { eventually } from "../integration/support/eventually.js";
import type { Site, Target } from "../integration/support/site.js";
import { linesOf } from "./support/application.js";
import { CEILING_MS, gitOps, type GitOps } from "./support/gitops.js";
import { freshName, shopPolicy, shopTemplates, templateNamespace, web } from "../gitops/shop.js";

const open = gitOps();

const webIn = (namespace: string): Target => ({ kind: "Deployment", namespace, name: "web" });

const membersOf = ({ member1, member2 }: GitOps): Site[] => [member1, member2];

async function uidsOf(gitops: GitOps, namespace: string): Promise<(string | undefined)[]> {
  const copies = await Promise.all(membersOf(gitops).map(member => member.find(webIn(namespace))));
  return copies.map(copy => copy?.metadata.uid);
}

/** Policy and templates in one wave, without any order among them. */
async function shopFromGit(prefix: string, more: (namespace: string) => Promise<KubeObject[]> = async () => []) {
  const gitops = open();
  const [name, repository] = [freshName(prefix), await gitops.repository()];
  const objects = [...shopTemplates(name), shopPolicy(name), templateNamespace(name), ...(await more(name))];
  await repository.commit({ "all.yaml": objects });
  const wish = { name, repoURL: repository.url, path: "." };
  return { gitops, name, repository, objects, wish };
}

describe("a sync that replaces", () => {
  it.each([
    ["Replace=true", { syncOptions: ["Replace=true"] }],
    ["Replace=true and Force=true", { syncOptions: ["Replace=true"], force: true }],
  ])("by %s ends Synced and Healthy, with the marks that keep the copies safe", async (_what, options) => {
    const { gitops, name, wish } = await shopFromGit("replace");
    await gitops.apply({ ...wish, automated: false });
    expect((await gitops.sync(name)).phase).toBe("Succeeded");
    await gitops.untilWell(name);
    const before = await uidsOf(gitops, name);

    const ended = await gitops.sync(name, options);
    expect(ended).toMatchObject({ phase: "Succeeded" });
    const status = await gitops.refreshed(name).then(() => gitops.untilWell(name));
    expect(status.conditions ?? []).toEqual([]);

    await eventually(
      "the template has its marks again",
      async () => {
        const template = await gitops.host.find(webIn(name));
        const { finalizers = [], labels = {} } = template?.metadata ?? {};
        return finalizers.includes(LET_GO_FINALIZER) && labels[HELD_MARK] === "true";
      },
      CEILING_MS,
    );
    expect(await gitops.host.list("ReplicaSet", name)).toEqual([]);
    // A forced replacement deletes the template and makes it again: its copies go with it, and come back.
    const after = await uidsOf(gitops, name);
    if (!("force" in options)) expect(after).toEqual(before);
    expect(after.every(uid => uid !== undefined)).toBe(true);
  });

  it("by force keeps the copies that a policy preserves", async () => {
    const gitops = open();
    const [name, repository] = [freshName("force"), await gitops.repository()];
    const policy = shopPolicy(name, { preserveResourcesOnDeletion: true, conflictResolution: "Overwrite" });
    await repository.commit({ "all.yaml": [templateNamespace(name), policy, web(name)] });
    await gitops.apply({ name, repoURL: repository.url, path: ".", automated: false });
    await gitops.sync(name);
    await gitops.untilWell(name);
    const before = await uidsOf(gitops, name);
    expect((await gitops.sync(name, { syncOptions: ["Replace=true"], force: true })).phase).toBe("Succeeded");
    await gitops.refreshed(name);
    await gitops.untilWell(name);
    expect(await uidsOf(gitops, name)).toEqual(before);
  });
});

describe("two Applications that own the same template", () => {
  it("say so in a condition, and one that is deleted takes only what is its own", async () => {
    const { gitops, name, wish } = await shopFromGit("shared");
    await gitops.apply(wish);
    await gitops.untilWell(name);
    const before = await uidsOf(gitops, name);

    const rival = `${name}-rival`;
    const second = await gitops.repository();
    await second.commit({ "web.yaml": [web(name)] });
    await gitops.apply({ name: rival, repoURL: second.url, path: ".", automated: false });
    const warned = (status: { conditions?: readonly { type: string }[] }): boolean =>
      (status.conditions ?? []).some(({ type }) => type === "SharedResourceWarning");
    await gitops.sync(rival);
    await gitops.refreshed(rival);
    const statuses = await Promise.all([gitops.refreshed(name), gitops.refreshed(rival)]);
    expect(statuses.some(warned)).toBe(true);
    expect(await uidsOf(gitops, name)).toEqual(before);

    await gitops.refreshed(name);
    await gitops.untilWell(name);
    await gitops.delete(rival);
    await gitops.untilGone(rival);
    await gitops.refreshed(name);
    await gitops.untilWell(name);
    expect((await uidsOf(gitops, name)).every(uid => uid !== undefined)).toBe(true);
  });
});

describe("a repository that mixes policies, templates and members' Secrets in one wave", () => {
  it("is Synced and Healthy, keeps the members joined, and sends no member's Secret anywhere", async () => {
    const gitops = open();
    const keep = { "argocd.argoproj.io/sync-options": "Delete=false,Prune=false" };
    const member2 = async (): Promise<KubeObject[]> => {
      const cluster = await gitops.host.find({ kind: "Cluster", name: "member2" });
      const { secretRef } = cluster?.["spec"] as { secretRef: { namespace: string; name: string } };
      const secret = await gitops.host.find({ kind: "Secret", ...secretRef });
      if (!cluster || !secret) throw new Error("member2 is not joined");
      return [
        {
          apiVersion: cluster.apiVersion,
          kind: "Cluster",
          metadata: { name: "member2", annotations: keep },
          spec: cluster["spec"],
        },
        {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { ...secretRef, annotations: keep },
          type: secret["type"],
          data: secret["data"],
        },
      ];
    };
    const { gitops: same, name, wish } = await shopFromGit("mixed", member2);
    await same.apply(wish);
    const status = await same.untilWell(name);
    expect(linesOf(status).filter(line => /^(Cluster|Secret) /.test(line))).toEqual([
      "Cluster member2: Synced, Healthy",
      expect.stringMatching(/^Secret .*: Synced$/),
    ]);
    const cluster = await gitops.host.find({ kind: "Cluster", name: "member2" });
    for (const member of membersOf(gitops)) expect(await member.list("Secret", name)).toEqual([]);

    await gitops.delete(name);
    await gitops.untilGone(name);
    expect((await gitops.host.find({ kind: "Cluster", name: "member2" }))?.metadata.uid).toBe(cluster?.metadata.uid);
    for (const member of membersOf(gitops)) {
      await eventually(`web is gone from ${member.name}`, async () => !(await member.find(webIn(name))), CEILING_MS);
    }
  });
});
