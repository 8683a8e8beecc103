// Does Argo CD, set up as the page says, judge our kinds as the page says, and offer its actions?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { RECONCILE_ANNOTATION } from "../../lib/domain/marks.js";
import { eventually } from "../integration/support/eventually.js";
import { CEILING_MS, gitOps, type GitOps } from "./support/gitops.js";
import { argoCdSettings } from "./support/page.js";
import { freshName, shopPolicy, templateNamespace, web } from "../gitops/shop.js";

const open = gitOps();

async function applied(prefix: string, objects: (namespace: string) => readonly KubeObject[]) {
  const gitops = open();
  const [name, repository] = [freshName(prefix), await gitops.repository()];
  await repository.commit({ "all.yaml": objects(name) });
  await gitops.apply({ name, repoURL: repository.url, path: "." });
  return { gitops, name, repository };
}

/** Waits until Argo CD says this of the one object of a kind. */
async function judged(gitops: GitOps, name: string, kind: string, health: string): Promise<string | undefined> {
  const is = (status: { resources?: readonly { kind: string; health?: { status: string } }[] }) =>
    (status.resources ?? []).find(resource => resource.kind === kind)?.health?.status === health;
  const { resources = [] } = await gitops.until(name, `has a ${health} ${kind}`, is);
  return resources.find(resource => resource.kind === kind)?.health?.message;
}

const paused = (deployment: KubeObject): KubeObject => ({
  ...deployment,
  spec: { ...(deployment["spec"] as object), paused: true },
});

const settings = (namespace: string, key: string): KubeObject => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace } },
  data: { [key]: "green" },
});

const plainNamespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

describe("the settings of the page", () => {
  it("are those that Argo CD has", async () => {
    const settings = await open().host.find({ kind: "ConfigMap", namespace: "argocd", name: "argocd-cm" });
    expect(settings?.["data"]).toMatchObject(argoCdSettings());
  });

  it("judge a Deployment that its authors paused, and no other, as Suspended", async () => {
    const { gitops, name } = await applied("paused", namespace => [
      templateNamespace(namespace),
      shopPolicy(namespace),
      paused(web(namespace)),
    ]);
    expect(await judged(gitops, name, "Deployment", "Suspended")).toBe("Deployment is paused");
  });

  it("judge a Deployment that nobody holds as Argo CD itself does", async () => {
    const { gitops, name } = await applied("plain", namespace => [plainNamespace(namespace), web(namespace)]);
    await gitops.untilWell(name);
    const { gitops: same, name: other } = await applied("plain-paused", namespace => [
      plainNamespace(namespace),
      paused(web(namespace)),
    ]);
    await judged(same, other, "Deployment", "Suspended");
  });

  it("call a template that no policy selects Progressing, since it runs nowhere", async () => {
    const { gitops, name } = await applied("alone", namespace => [templateNamespace(namespace), web(namespace)]);
    await judged(gitops, name, "Deployment", "Progressing");
  });

  it.each([
    ["that waits for its first object", "Healthy", {}],
    ["that waits for an override", "Progressing", { dependentOverrides: ["missing"] }],
    [
      "about a kind that is not served",
      "Degraded",
      { resourceSelectors: [{ apiVersion: "no.example/v1", kind: "No" }] },
    ],
  ])("judge a policy %s as %s", async (_what, health, spec) => {
    const { gitops, name } = await applied("judged", namespace => [
      templateNamespace(namespace),
      shopPolicy(namespace, spec),
      ...(health === "Progressing" ? [web(namespace)] : []),
    ]);
    expect(await judged(gitops, name, "PropagationPolicy", health)).toBeTruthy();
  });

  it.each([
    ["that the member takes", "Healthy", "colour", undefined],
    ["that the member refuses", "Degraded", "no colour", /data\[no colour\]: Invalid value/],
  ])("judge a Work by hand %s as %s", async (_what, health, key, words) => {
    const { gitops, name } = await applied("work", namespace => [
      {
        ...{ apiVersion: "work.karmada.io/v1alpha1", kind: "Work" },
        metadata: { name: namespace, namespace: "karmada-es-member1" },
        spec: { workload: { manifests: [settings(namespace, key)] } },
      },
    ]);
    const message = await judged(gitops, name, "Work", health);
    if (words) expect(message).toMatch(words);
  });
});

describe("the actions of the page", () => {
  it("turn preserve on and off, suspend and resume, where Git does not say, and self-heal leaves them", async () => {
    const { gitops, name } = await applied("actions", namespace => [
      templateNamespace(namespace),
      shopPolicy(namespace),
      web(namespace),
    ]);
    await gitops.untilWell(name);
    const policy = shopPolicy(name);
    const spec = async (): Promise<unknown> =>
      (await gitops.host.find({ kind: "PropagationPolicy", namespace: name, name: "shop" }))?.["spec"];
    const offered = (...wanted: readonly string[]): Promise<unknown> =>
      eventually(
        `offers ${wanted.join(", ")}`,
        async () => JSON.stringify(await gitops.actions(name, policy)) === JSON.stringify(wanted),
        CEILING_MS,
      );

    await offered("preserve-on", "reconcile", "suspend");
    await gitops.act(name, policy, "preserve-on");
    await gitops.act(name, policy, "suspend");
    expect(await spec()).toMatchObject({ preserveResourcesOnDeletion: true, suspension: { dispatching: true } });
    await offered("preserve-off", "resume");

    await gitops.act(name, policy, "resume");
    await gitops.act(name, policy, "reconcile");
    const asked = await gitops.host.find({ kind: "PropagationPolicy", namespace: name, name: "shop" });
    expect(asked?.metadata.annotations).toHaveProperty([RECONCILE_ANNOTATION]);
    await gitops.act(name, policy, "suspend");

    await gitops.refreshed(name);
    await gitops.untilWell(name);
    expect(await spec()).toMatchObject({ preserveResourcesOnDeletion: true, suspension: { dispatching: true } });

    await gitops.act(name, policy, "resume");
    await gitops.act(name, policy, "preserve-off");
    expect(await spec()).toMatchObject({ preserveResourcesOnDeletion: false, suspension: { dispatching: false } });
    await offered("preserve-on", "reconcile", "suspend");
  });

  it("give way to Git where Git says the field", async () => {
    const { gitops, name } = await applied("git-says", namespace => [
      templateNamespace(namespace),
      shopPolicy(namespace, { preserveResourcesOnDeletion: true }),
      web(namespace),
    ]);
    await gitops.untilWell(name);
    await gitops.act(name, shopPolicy(name), "preserve-off");
    await eventually(
      "self-heal has put Git's word back",
      async () => {
        const policy = await gitops.host.find({ kind: "PropagationPolicy", namespace: name, name: "shop" });
        return (policy?.["spec"] as { preserveResourcesOnDeletion?: boolean }).preserveResourcesOnDeletion === true;
      },
      CEILING_MS,
    );
    await gitops.untilWell(name);
  });

  it("restart a held Deployment in its members by Argo CD's own action", async () => {
    const { gitops, name } = await applied("restart", namespace => [
      templateNamespace(namespace),
      shopPolicy(namespace),
      web(namespace),
    ]);
    await gitops.untilWell(name);
    await gitops.act(name, web(name), "restart");
    for (const member of [gitops.member1, gitops.member2]) {
      await eventually(
        `${member.name} restarts`,
        async () => {
          const copy = await member.find({ kind: "Deployment", namespace: name, name: "web" });
          return JSON.stringify(copy?.["spec"]).includes("kubectl.kubernetes.io/restartedAt");
        },
        CEILING_MS,
      );
    }
    await gitops.untilWell(name);
  });
});
