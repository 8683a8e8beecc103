// Does Argo CD judge a Deployment by its members on a host that runs no workload controllers, where nothing is held?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { down, guard, up } from "../../hack/clusters/index.js";
import { HELD_MARK } from "../../lib/domain/marks.js";
import { GitOps } from "./support/gitops.js";
import { freshName, shopPolicy, web } from "../gitops/shop.js";

const UP_MS = 600_000;
const dir = mkdtempSync(join(tmpdir(), "holdfast-argocd-plane-"));
let open: GitOps | undefined;
let callOffGuard: (() => Promise<void>) | undefined;

beforeAll(async () => {
  callOffGuard = guard(dir);
  open = GitOps.open(await up({ dir, members: 2, operator: true, argocd: true }));
  await open.configure();
}, UP_MS);

afterAll(async () => {
  await open?.close();
  await down(dir);
  await callOffGuard?.();
  rmSync(dir, { recursive: true, force: true });
}, UP_MS);

/** So many replicas in every member, whatever the template says. */
function sized(namespace: string, value: number): KubeObject {
  const overriders = { plaintext: [{ path: "/spec/replicas", operator: "replace", value }] };
  return {
    ...{ apiVersion: "policy.karmada.io/v1alpha1", kind: "OverridePolicy", metadata: { name: "small", namespace } },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
      overrideRules: [{ overriders }],
    },
  };
}

describe("a Deployment of which overrides leave fewer replicas in sum than the template says", () => {
  it("is Healthy once every member has rolled it out, and not before", async () => {
    if (!open) throw new Error("only within a test");
    const [name, repository] = [freshName("plane"), await open.repository()];
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const around = [namespace, shopPolicy(name), sized(name, 1)];
    await repository.commit({ "all.yaml": [...around, web(name, "registry.example/web:1.0", 5)] });
    await open.apply({ name, repoURL: repository.url, path: "." });
    await open.untilWell(name);
    const template = await open.host.find({ kind: "Deployment", namespace: name, name: "web" });
    expect(template?.metadata.labels ?? {}).not.toHaveProperty([HELD_MARK]);
    expect(template?.["spec"]).toMatchObject({ replicas: 5 });
    expect(template?.["status"]).toMatchObject({ replicas: 2, availableReplicas: 2 });

    const sick = web(name, "registry.example/web:2.0", 5);
    const spec = sick["spec"] as { template: { spec: object } };
    Object.assign(spec.template.spec, { nodeSelector: { nowhere: "true" } });
    await repository.commit({ "all.yaml": [...around, sick] });
    await open.refreshed(name);
    const waiting = await open.until(name, "waits for its pods", ({ health }) => health?.status === "Progressing");
    expect(waiting.sync?.status).toBe("Synced");

    const mended = await repository.commit({ "all.yaml": [...around, web(name, "registry.example/web:3.0", 5)] });
    await open.arrived(name, mended);
  });
});
