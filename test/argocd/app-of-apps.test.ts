// Does everything arrive from Git by waves, is it Synced and Healthy, and does Argo CD leave alone what is ours?
import { afterEach, describe, expect, it } from "vitest";
import { HELD_MARK } from "../../lib/domain/marks.js";
import { objectsIn } from "../integration/support/site.js";
import { exampleFiles } from "./support/example.js";
import { linesOf } from "./support/application.js";
import { gitOps, type GitOps } from "./support/gitops.js";
import type { Repository } from "../gitops/repository.js";
import { freshName } from "../gitops/shop.js";

const open = gitOps();

afterEach(() => open().configure({ "application.resourceTrackingMethod": null }));

interface Fleet {
  readonly name: string;
  readonly repository: Repository;
  readonly gitops: GitOps;
}

async function applyFleet(): Promise<Fleet> {
  const gitops = open();
  const [name, repository] = [freshName("fleet"), await gitops.repository()];
  const files = await exampleFiles({ repository, name });
  await repository.commit(files);
  gitops.remember(name, `${name}-policies`, `${name}-shop`);
  await gitops.host.apply(String(files["root.yaml"]));
  return { name, repository, gitops };
}

/** The objects of a namespace that Git does not hold, of every kind that Holdfast writes on the host. */
async function generated({ gitops, name }: Fleet): Promise<string[]> {
  const bindings = await gitops.host.list("ResourceBinding", name);
  const works = await Promise.all(["member1", "member2"].map(m => gitops.host.list("Work", `karmada-es-${m}`)));
  const ours = works.flat().filter(work => JSON.stringify(work).includes(`"namespace":"${name}"`));
  return [...bindings, ...ours].map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.uid}`,
  );
}

describe("an app of apps with policies, overrides and templates", () => {
  it.each(["annotation", "label", "annotation+label"])(
    "is Synced and Healthy with %s tracking, and nothing of ours is out of sync or to be pruned",
    async method => {
      await open().configure({ "application.resourceTrackingMethod": method });
      const fleet = await applyFleet();
      const { gitops, name } = fleet;
      await gitops.untilWell(name);
      const policies = await gitops.untilWell(`${name}-policies`);
      const shop = await gitops.untilWell(`${name}-shop`);

      expect(linesOf(policies)).toEqual([
        expect.stringMatching(`^Namespace ${name}: Synced`),
        expect.stringMatching(`^OverridePolicy ${name}/web-small: Synced`),
        expect.stringMatching(`^PropagationPolicy ${name}/shop: Synced, Healthy`),
      ]);
      expect(linesOf(shop)).toEqual([
        `ConfigMap ${name}/settings: Synced`,
        `CronJob ${name}/report: Synced`,
        `Deployment ${name}/web: Synced, Healthy`,
        `Service ${name}/web: Synced, Healthy`,
        expect.stringMatching(`^StatefulSet ${name}/db: Synced, Healthy`),
      ]);
      for (const status of [policies, shop]) expect(status.conditions ?? []).toEqual([]);

      const web = await gitops.host.find({ kind: "Deployment", namespace: name, name: "web" });
      expect(web?.metadata.labels).toHaveProperty([HELD_MARK], "true");
      expect(web?.["status"]).toMatchObject({ replicas: 4, availableReplicas: 4 });
      expect(await gitops.host.list("ReplicaSet", name)).toEqual([]);

      const before = await generated(fleet);
      expect(before).toHaveLength(5 + 10);
      for (let n = 0; n < 3; n++) {
        const { phase } = await gitops.sync(`${name}-shop`, { prune: true });
        expect(phase).toBe("Succeeded");
      }
      expect(await generated(fleet)).toEqual(before);
      expect(linesOf(await gitops.refreshed(`${name}-shop`))).toEqual(linesOf(shop));
    },
  );

  it("shows the bindings in the tree below their templates, Healthy, and none of them as Git's", async () => {
    const { gitops, name } = await applyFleet();
    await gitops.untilWell(`${name}-shop`);
    const nodes = await gitops.tree(`${name}-shop`);
    const bindings = nodes.filter(({ kind }) => kind === "ResourceBinding");
    expect(bindings.map(node => [node.name, node.parentRefs?.[0]?.name, node.health?.status]).sort()).toEqual([
      ["db-statefulset", "db", "Healthy"],
      ["report-cronjob", "report", "Healthy"],
      ["settings-configmap", "settings", "Healthy"],
      ["web-deployment", "web", "Healthy"],
      ["web-service", "web", "Healthy"],
    ]);
  });

  it("brings a change in Git to the members, Progressing until the last one has it, and takes away what Git drops", async () => {
    const { gitops, name, repository } = await applyFleet();
    await gitops.untilWell(`${name}-shop`);
    const files = await exampleFiles({ repository, name });
    const newer = String(files["shop/workloads.yaml"]).replace("web:1.0", "web:2.0");
    const revision = await repository.commit({ "shop/workloads.yaml": newer, "shop/network.yaml": undefined });
    await gitops.refreshed(`${name}-shop`);
    const status = await gitops.untilWell(`${name}-shop`, revision);
    expect(linesOf(status)).toHaveLength(3);
    for (const member of [gitops.member1, gitops.member2]) {
      const web = await member.find({ kind: "Deployment", namespace: name, name: "web" });
      expect(JSON.stringify(web?.["spec"])).toContain("web:2.0");
      expect(web?.["status"]).toMatchObject({ observedGeneration: web?.metadata.generation });
      expect(await member.find({ kind: "ConfigMap", namespace: name, name: "settings" })).toBeUndefined();
    }
    expect(objectsIn(newer)).toHaveLength(3);
  });
});
