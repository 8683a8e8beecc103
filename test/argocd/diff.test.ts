// Is what Holdfast writes into objects from Git ever a difference to Git, in any of Argo CD's ways to compare?
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { kubectl } from "../integration/support/case-kubectl.js";
import { stays } from "../integration/support/eventually.js";
import { linesOf } from "./support/application.js";
import { everyHeldKind } from "../gitops/held-kinds.js";
import { gitOps } from "./support/gitops.js";
import { freshName, inWave, shopOverride, shopPolicy, shopTemplates, templateNamespace } from "../gitops/shop.js";

const open = gitOps();

/** HOLDFAST_QUIET_SECONDS=600 for a soak. */
const QUIET_MS = Number(process.env["HOLDFAST_QUIET_SECONDS"] ?? 60) * 1000;
const SERVER_SIDE_DIFF = { "argocd.argoproj.io/compare-options": "ServerSideDiff=true" };

const MODES = [
  { mode: "legacy" },
  { mode: "server-side", annotations: SERVER_SIDE_DIFF },
  { mode: "structured-merge", syncOptions: ["ServerSideApply=true"] },
  { mode: "server-side-both", annotations: SERVER_SIDE_DIFF, syncOptions: ["ServerSideApply=true"] },
] as const;

/** A policy of the whole host that says nothing that has a default; and one about deletion. */
function otherPolicies(namespace: string): KubeObject[] {
  const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", namespace }];
  const own = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }];
  const apiVersion = "policy.karmada.io/v1alpha1";
  return [
    {
      ...{ apiVersion, kind: "ClusterPropagationPolicy", metadata: { name: namespace } },
      spec: { resourceSelectors, placement: { clusterAffinity: { clusterNames: ["member1"] } } },
    },
    {
      ...{ apiVersion, kind: "CascadeDeletionPolicy", metadata: { name: "shop", namespace } },
      spec: { resourceSelectors: own, cascadeDeletion: "orphan" },
    },
  ];
}

function everything(namespace: string): KubeObject[] {
  const policies = [templateNamespace(namespace), shopPolicy(namespace), shopOverride(namespace)];
  return [
    ...[...policies, ...otherPolicies(namespace)].map(object => inWave(-1, object)),
    ...shopTemplates(namespace),
    ...everyHeldKind(namespace),
  ];
}

/** Pepr would leave a note on whatever its webhooks were shown. */
async function expectNoStamps(namespace: string): Promise<void> {
  for (const { kind, metadata } of [shopPolicy(namespace), ...shopTemplates(namespace)]) {
    const found = await open().host.find({ kind, namespace, name: metadata.name });
    expect(found?.metadata.uid).toBeDefined();
    expect(JSON.stringify(found?.metadata.annotations ?? {})).not.toContain("pepr.dev");
  }
}

describe("what Holdfast writes", () => {
  it(
    `is no difference to Git for ${QUIET_MS / 1000} s, in every mode, with self-heal and prune on`,
    async () => {
      const gitops = open();
      const names = await Promise.all(
        MODES.map(async ({ mode, ...how }) => {
          const [name, repository] = [freshName(mode), await gitops.repository()];
          await repository.commit({ "all.yaml": everything(name) });
          await gitops.apply({ name, repoURL: repository.url, path: ".", ...how });
          await gitops.until(name, "is Synced", ({ sync, operationState }) => {
            return sync?.status === "Synced" && operationState?.phase === "Succeeded";
          });
          return name;
        }),
      );
      for (const name of names) {
        await gitops.until(name, "has every template in the members", ({ resources = [] }) =>
          resources.some(({ kind, health }) => kind === "Deployment" && health?.status === "Healthy"),
        );
      }

      for (const name of names) await expectNoStamps(name);

      const view = async (): Promise<unknown> =>
        Promise.all(
          names.map(async name => {
            const status = await gitops.refreshed(name);
            const lines = linesOf(status).filter(line => !line.includes(": Synced"));
            const { startedAt, finishedAt, phase } = status.operationState ?? {};
            return {
              name,
              sync: status.sync?.status,
              lines,
              startedAt,
              finishedAt,
              phase,
              syncs: status.history?.length,
            };
          }),
        );
      const seen = await stays("no Application syncs by itself", view, QUIET_MS);
      expect(seen).toEqual(
        names.map(name => expect.objectContaining({ name, sync: "Synced", lines: [], phase: "Succeeded", syncs: 1 })),
      );
    },
    QUIET_MS + 600_000,
  );

  it("is no difference for kubectl diff either", async () => {
    const gitops = open();
    const [name, repository] = [freshName("diff"), await gitops.repository()];
    const objects = everything(name);
    await repository.commit({ "all.yaml": objects });
    // By the other way Argo CD writes its own tracking mark into last-applied-configuration.
    await gitops.apply({ name, repoURL: repository.url, path: ".", syncOptions: ["ServerSideApply=true"] });
    await gitops.until(name, "is Synced", ({ sync, operationState }) => {
      return sync?.status === "Synced" && operationState?.phase === "Succeeded";
    });
    const dir = await mkdtemp(join(tmpdir(), "holdfast-diff-"));
    try {
      const file = join(dir, "all.json");
      await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
      expect(await kubectl("host", ["diff", "--server-side", "-f", file])).toEqual({ code: 0, text: "" });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
