// Does everything arrive from Git in the order of its Kustomizations, is it Ready and Healthy, and is nothing fought over?
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { CEILING_MS, generated, webIn } from "../gitops/fates.js";
import { everyHeldKind } from "../gitops/held-kinds.js";
import { freshName, shopOverride, shopPolicy, shopTemplates, templateNamespace } from "../gitops/shop.js";
import { eventually } from "../integration/support/eventually.js";
import type { Site } from "../integration/support/site.js";
import { flux, listed } from "./support/flux.js";
import { inventoryOf } from "./support/kustomization.js";

const open = flux();

const QUIET_MS = 30_000;
const RESTING_MS = 5_000;

/** Two Kustomizations over one repository: policies, and what depends on them. */
async function fleet(prefix: string) {
  const name = freshName(prefix);
  const source = await open().source(name);
  const policies = [templateNamespace(name), shopPolicy(name), shopOverride(name)];
  const templates = shopTemplates(name);
  const revision = await source.commit({ "policies/all.yaml": policies, "shop/all.yaml": templates });
  const names = { policies: `${name}-policies`, shop: `${name}-shop` };
  await open().apply({ name: names.shop, source: name, path: "shop", dependsOn: [names.policies] });
  await open().apply({ name: names.policies, source: name, path: "policies" });
  return { name, names, source, policies, templates, revision };
}

describe("policies, overrides and templates from Git", () => {
  it("are Ready and Healthy, the templates after the policies", async () => {
    const { name, names, policies, templates, revision } = await fleet("rollout");
    const first = await open().untilWell(names.policies, revision);
    expect(inventoryOf(first)).toEqual(listed(policies));
    const second = await open().untilWell(names.shop, revision);
    expect(inventoryOf(second)).toEqual(listed(templates));

    const web = await open().host.find({ kind: "Deployment", namespace: name, name: "web" });
    expect(web?.["status"]).toMatchObject({ replicas: 4, availableReplicas: 4 });
    expect(await open().host.list("ReplicaSet", name)).toEqual([]);
  });

  it("change when Git does, and Flux is Ready only when every member has the change", async () => {
    const { name, names, source, revision } = await fleet("change");
    await open().untilWell(names.shop, revision);
    const templates = shopTemplates(name, "registry.example/web:2.0").filter(({ kind }) => kind !== "ConfigMap");
    const next = await source.commit({ "shop/all.yaml": templates });
    const status = await open().untilWell(names.shop, next);
    expect(inventoryOf(status)).toEqual(listed(templates));
    for (const member of open().members) {
      const copy = await member.find(webIn(name));
      expect(JSON.stringify(copy?.["spec"])).toContain("web:2.0");
      // What Flux marks as its own is no word to a Flux of the member.
      expect(JSON.stringify(copy?.metadata.labels)).not.toContain("toolkit.fluxcd.io");
      expect(copy?.["status"]).toMatchObject({ observedGeneration: copy?.metadata.generation, readyReplicas: 2 });
      const settings = { kind: "ConfigMap", namespace: name, name: "settings" };
      await eventually(`${member.name} has no ConfigMap`, async () => !(await member.find(settings)), CEILING_MS);
    }
  });

  it(`are left alone by both sides for ${QUIET_MS / 1000} s of reconciles, and Flux has configured nothing`, async () => {
    const on = open();
    const name = freshName("quiet");
    const source = await on.source(name);
    const policies = [templateNamespace(name), shopPolicy(name), shopOverride(name)];
    const objects = [...policies, ...shopTemplates(name), ...everyHeldKind(name)];
    const revision = await source.commit({ "all.yaml": objects });
    await on.apply({ name, spec: { interval: "2s", wait: false } });
    await on.until(name, "is applied", ({ lastAppliedRevision }) => lastAppliedRevision === revision);
    const web = await eventually("web is everywhere", () => rolledOut(on.host, name), CEILING_MS);
    expect(web).toMatchObject({ replicas: 4, availableReplicas: 4 });

    // No policy selects the autoscaler: the host's own controller goes on writing its status.
    const watched = objects.filter(({ kind }) => kind !== "HorizontalPodAutoscaler");
    const versions = async (): Promise<string[]> => {
      const templates = await Promise.all(watched.map(({ kind, metadata }) => on.host.find({ kind, ...metadata })));
      const ours = await generated(on.host, name);
      return [...templates, ...ours]
        .map(object => `${object?.kind} ${object?.metadata.name} ${version(object)}`)
        .sort();
    };
    const before = await eventually("everything has come to rest", () => atRest(versions), CEILING_MS);

    let reconciles = 0;
    for (const end = Date.now() + QUIET_MS; Date.now() < end; reconciles++) await on.reconciled(name);
    expect(reconciles).toBeGreaterThan(4);
    // A version never comes back: what is the same afterwards was not written in between.
    expect(await versions()).toEqual(before);
    expect((await on.notes(name)).filter(note => note.includes("configured"))).toEqual([]);
  });
});

/** The versions, when a moment later they are the same. */
async function atRest(versions: () => Promise<readonly string[]>): Promise<readonly string[] | undefined> {
  const before = await versions();
  await sleep(RESTING_MS);
  return JSON.stringify(await versions()) === JSON.stringify(before) ? before : undefined;
}

function version(object: KubeObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}

/** The status of the Deployment `web` once both members have all of it. */
async function rolledOut(host: Site, namespace: string): Promise<unknown> {
  const web = await host.find(webIn(namespace));
  const status = web?.["status"] as { readonly availableReplicas?: number } | undefined;
  return status?.availableReplicas === 4 && status;
}
