// What does Flux say while a member is in trouble, and when it is mended?
import { afterAll, describe, expect, it } from "vitest";
import { start, stop } from "../../hack/clusters/index.js";
import { uidsOf, webIn } from "../gitops/fates.js";
import { freshName, shopPolicy, templateNamespace, web } from "../gitops/shop.js";
import { flux, type Flux } from "./support/flux.js";

const open = flux();

afterAll(() => start(open().env.dir, "member2-apiserver"));

/** What Flux says of the template while it is not well, and its name for it. */
const FLUX_NAMES = (namespace: string, status: string): string => `Deployment/${namespace}/web status: '${status}'`;

/** A namespace with a policy and a Deployment, from Git; a health check gives up soon. */
async function shopFromGit(on: Flux, timeout = "15s") {
  const name = freshName("trouble");
  const source = await on.source(name);
  const revision = await source.commit({
    "all.yaml": [templateNamespace(name), shopPolicy(name)],
    "web.yaml": [web(name)],
  });
  return { name, source, revision, apply: () => on.apply({ name, spec: { timeout } }) };
}

/** Where the sentence stands that names the reason: in the template, in the words of the member. */
async function reasonOf(on: Flux, namespace: string): Promise<string> {
  const template = await on.host.find(webIn(namespace));
  const { conditions = [] } = template?.["status"] as { conditions?: readonly { type: string; message: string }[] };
  return conditions.find(({ type }) => type === "Progressing")?.message ?? "";
}

describe("a member in trouble", () => {
  it("that refuses the copy: not Ready, and the template says why; Ready once the way is free", async () => {
    const on = open();
    const { name, revision, apply } = await shopFromGit(on);
    const [, member2] = on.members;
    await member2.applyObject({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await member2.applyObject(web(name, "registry.example/other:1.0", 1));
    await apply();

    expect(await on.untilFailed(name, revision)).toContain(FLUX_NAMES(name, "Failed"));
    expect(await reasonOf(on, name)).toMatch(/member2: /);

    await member2.delete(webIn(name));
    await on.untilWell(name, revision);
  });

  it("whose pods do not start: not Ready within the deadline; Ready again with a mended manifest", async () => {
    const on = open();
    const { name, source, revision, apply } = await shopFromGit(on, "60s");
    await apply();
    await on.untilWell(name, revision);

    const sick = web(name);
    const spec = sick["spec"] as { template: { spec: object } };
    Object.assign(spec, { progressDeadlineSeconds: 5 });
    Object.assign(spec.template.spec, { nodeSelector: { nowhere: "true" } });
    const broken = await source.commit({ "web.yaml": [sick] });
    expect(await on.untilFailed(name, broken)).toContain(FLUX_NAMES(name, "Failed"));
    expect(await reasonOf(on, name)).toMatch(/member[12]: .*progress/i);

    await on.untilWell(name, await source.commit({ "web.yaml": [web(name)] }));
  });

  it("that does not answer: a change is not Ready until it is back and has it", async () => {
    const on = open();
    const { name, source, revision, apply } = await shopFromGit(on);
    await apply();
    await on.untilWell(name, revision);
    await stop(on.env.dir, "member2-apiserver");

    const next = await source.commit({ "web.yaml": [web(name, "registry.example/web:2.0")] });
    expect(await on.untilFailed(name, next)).toContain(FLUX_NAMES(name, "InProgress"));
    const status = (await on.find(name))?.status;
    expect(status).toMatchObject({ lastAppliedRevision: revision, lastAttemptedRevision: next });

    await start(on.env.dir, "member2-apiserver");
    await on.untilWell(name, next);
  });
});

describe("a policy that cannot do its work", () => {
  it("about a kind that is not served fails at once, and waits for its first object without blame", async () => {
    const on = open();
    const name = freshName("policy");
    const source = await on.source(name);
    const unknown = shopPolicy(name, { resourceSelectors: [{ apiVersion: "no.example/v1", kind: "No" }] });
    const broken = await source.commit({ "all.yaml": [templateNamespace(name), unknown] });
    await on.apply({ name });
    expect(await on.untilFailed(name, broken)).toContain(`PropagationPolicy/${name}/shop status: 'Failed'`);

    const mended = await source.commit({ "all.yaml": [templateNamespace(name), shopPolicy(name)] });
    await on.untilWell(name, mended);
    const policy = await on.host.find({ kind: "PropagationPolicy", namespace: name, name: "shop" });
    expect(policy?.["status"]).toMatchObject({ conditions: [{ reason: "NoMatch" }] });
  });

  it("whose override is missing holds Flux until it comes", async () => {
    const on = open();
    const name = freshName("waits");
    const source = await on.source(name);
    const policy = shopPolicy(name, { dependentOverrides: ["shop"] });
    const objects = [templateNamespace(name), policy, web(name)];
    const waiting = await source.commit({ "all.yaml": objects });
    await on.apply({ name, spec: { timeout: "10s" } });
    expect(await on.untilFailed(name, waiting)).toContain(`PropagationPolicy/${name}/shop status: 'InProgress'`);
    expect(await uidsOf(on.members, name)).toEqual([undefined, undefined]);
  });
});
