// What becomes of the members' workloads when Git drops a template, and when a Kustomization is deleted, in every way of Flux?
import { afterAll, describe, expect, it } from "vitest";
import { start, stop } from "../../hack/clusters/index.js";
import { cleared, deleted, kept, uidsOf, webIn } from "../gitops/fates.js";
import { freshName, shopPolicy, templateNamespace, web } from "../gitops/shop.js";
import { isMarked } from "../integration/support/shop.js";
import { flux, listed, type Flux } from "./support/flux.js";
import { inventoryOf } from "./support/kustomization.js";

const open = flux();

afterAll(() => start(open().env.dir, "member2-apiserver"));

interface Settled {
  /** The policy's `preserveResourcesOnDeletion`. */
  readonly preserve: boolean;
  /** More of the Kustomization's spec. */
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A policy and a template from Git. The namespace is nobody's, so that only these two are deleted. */
async function settled(on: Flux, { preserve, spec = {}, annotations = {} }: Settled) {
  const name = freshName("leave");
  const source = await on.source(name);
  await on.host.applyObject(templateNamespace(name));
  const policy = shopPolicy(name, { preserveResourcesOnDeletion: preserve });
  const bare = web(name);
  const template = { ...bare, metadata: { ...bare.metadata, annotations } };
  const revision = await source.commit({ "policy.yaml": [policy], "web.yaml": [template] });
  await on.apply({ name, spec });
  const status = await on.untilWell(name, revision);
  expect(inventoryOf(status)).toEqual(listed([policy, template]));
  return { name, source, policy, template, uids: await uidsOf(on.members, name) };
}

/** Every copy is let go of, or gone, as the policy says. */
async function decided(on: Flux, name: string, preserve: boolean, uids: readonly (string | undefined)[]) {
  for (const [n, member] of on.members.entries()) {
    if (preserve) await kept(member, name, uids[n]);
    else await deleted(member, name);
  }
}

const BOTH = [true, false];

describe("what drops out of Git", () => {
  it.each(BOTH.flatMap(preserve => ["the template", "policy and template"].map(what => ({ preserve, what }))))(
    "$what: Ready without it, and workloads are kept: $preserve",
    async ({ preserve, what }) => {
      const { name, source, policy, uids } = await settled(open(), { preserve });
      const both = what !== "the template";
      const revision = await source.commit({
        "web.yaml": undefined,
        ...(both ? { "policy.yaml": undefined, "kustomization.yaml": "resources: []\n" } : {}),
      });
      const status = await open().until(name, "is Ready without it", ({ lastAppliedRevision, conditions = [] }) => {
        const ready = conditions.find(({ type }) => type === "Ready");
        return ready?.status === "True" && lastAppliedRevision === revision;
      });
      expect(inventoryOf(status)).toEqual(both ? [] : listed([policy]));
      await decided(open(), name, preserve, uids);
      await cleared(open().host, name);
      expect(await open().host.find(webIn(name))).toBeUndefined();
    },
  );

  it.each([
    { how: "prune: false", spec: { prune: false } },
    { how: "its annotation", annotations: { "kustomize.toolkit.fluxcd.io/prune": "disabled" } },
  ])("stays where $how says so, still placed, and no longer Flux's", async ({ how: _how, ...more }) => {
    const { name, source, policy, uids } = await settled(open(), { preserve: false, ...more });
    const revision = await source.commit({ "web.yaml": undefined });
    const status = await open().untilWell(name, revision);
    expect(inventoryOf(status)).toEqual(listed([policy]));
    await stillPlaced(open(), name, uids);
  });
});

/** The template is there, and so are the copies, with our marks. */
async function stillPlaced(on: Flux, name: string, uids: readonly (string | undefined)[]): Promise<void> {
  expect((await on.host.find(webIn(name)))?.metadata).not.toHaveProperty("deletionTimestamp");
  expect(await uidsOf(on.members, name)).toEqual(uids);
  const copies = await Promise.all(on.members.map(member => member.find(webIn(name))));
  expect(copies.every(isMarked)).toBe(true);
}

const TAKING = [{}, { deletionPolicy: "Delete", prune: false }, { deletionPolicy: "WaitForTermination" }];
const LEAVING = [{ prune: false }, { deletionPolicy: "Orphan" }, { suspend: true }];

/** `deletionPolicy Delete, prune false`; as it is made where nothing is said. */
function howOf(spec: object): string {
  const words = Object.entries(spec).map(([key, value]) => `${key} ${String(value)}`);
  return words.join(", ") || "what is the default";
}

describe("deleting a Kustomization", () => {
  it.each(BOTH.flatMap(preserve => TAKING.map(spec => ({ preserve, spec, how: howOf(spec) }))))(
    "with $how takes policy and template, and workloads are kept: $preserve",
    async ({ preserve, spec }) => {
      const { name, uids } = await settled(open(), { preserve, spec });
      await open().delete(name);
      await open().untilGone(name);
      await decided(open(), name, preserve, uids);
      await cleared(open().host, name);
      expect(await open().host.find(webIn(name))).toBeUndefined();
    },
  );

  it.each(LEAVING.map(spec => ({ spec, how: howOf(spec) })))(
    "with $how leaves policy, template and copies as they are",
    async ({ spec }) => {
      const { name, uids } = await settled(open(), { preserve: false });
      await open().change(name, spec);
      await open().delete(name);
      await open().untilGone(name);
      await stillPlaced(open(), name, uids);
    },
  );

  it("while a member is down, in each of these ways, ends at once, and the member follows when it is back", async () => {
    const on = open();
    const [member1, member2] = on.members;
    const wishes = BOTH.flatMap(preserve => TAKING.map(spec => ({ preserve, spec })));
    const leaving = await Promise.all(wishes.map(async wish => ({ ...wish, ...(await settled(on, wish)) })));
    await stop(on.env.dir, "member2-apiserver");
    await Promise.all(leaving.map(({ name }) => on.delete(name)));
    for (const { name, preserve, uids } of leaving) {
      await on.untilGone(name);
      if (preserve) await kept(member1, name, uids[0]);
      else await deleted(member1, name);
    }

    await start(on.env.dir, "member2-apiserver");
    for (const { name, preserve, uids } of leaving) {
      if (preserve) await kept(member2, name, uids[1]);
      else await deleted(member2, name);
      await cleared(on.host, name);
    }
  });
});
