// What becomes of copies that are to stay, and of copies that are to go, when a cluster leaves in each of its states?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { join } from "../../cli/join.js";
import { SERVICE_ACCOUNTS } from "../../cli/member-objects.js";
import { accountName } from "../../cli/names.js";
import type { Work } from "../../crds/work.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { CONFIG_MAPS, SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { eventually } from "./support/eventually.js";
import { administrator } from "./support/engine.js";
import {
  collected,
  joinThroughProxy,
  QUICK,
  readyOf,
  startFederation,
  untilCluster,
  WHOLE_OPERATOR,
} from "./support/federation.js";
import { isMarked, LeavingShop } from "./support/leaving-shop.js";
import type { TcpProxy } from "./support/proxy.js";
import { sickServerBefore } from "./support/sick-server.js";

const EVENTS = { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };

interface Opened {
  readonly deps: Dependencies;
  readonly name: string;
  readonly proxy: TcpProxy;
  readonly shop: LeavingShop;
  readonly before: Awaited<ReturnType<LeavingShop["copies"]>>;
}

async function opened(times = QUICK): Promise<Opened> {
  const deps = await startFederation(times, WHOLE_OPERATOR);
  const { name, proxy } = await joinThroughProxy(deps, "member1");
  await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
  const shop = await LeavingShop.open(deps, name);
  return { deps, name, proxy, shop, before: await shop.copies() };
}

const uidOf = (object: KubeObject | undefined): string | undefined => object?.metadata.uid;
const secretOf = ({ name }: Opened) => ({ namespace: "karmada-cluster", name });

/** The Works of this test: an earlier one's templates may still be looking for copies everywhere. */
function worksOf({ deps, shop }: Opened): Work[] {
  const namespaces: readonly unknown[] = [shop.shop, shop.bare];
  const works = [...deps.host.works.store.values()];
  return works.filter(({ spec }) => namespaces.includes(spec.workload?.manifests?.[0]?.metadata.namespace));
}

/** Kept and deleted as decided, all of it proven. */
async function expectInOrder({ shop, before, name }: Opened, unjoining = shop.unjoin()): Promise<void> {
  const { told, problem } = await unjoining;

  const after = await shop.copies();
  expect(uidOf(after.stays)).toBe(uidOf(before.stays));
  expect([isMarked(after.stays), after.goes, after.alone]).toEqual([false, undefined, undefined]);
  const kept = await shop.namespaceOf(shop.shop);
  expect([kept?.metadata.deletionTimestamp, isMarked(kept)]).toEqual([undefined, false]);
  expect((await shop.namespaceOf(shop.bare))?.metadata.deletionTimestamp ?? "gone").toBeTruthy();
  expect(problem).toBeUndefined();
  expect(LeavingShop.named(told, "left")).toEqual([]);
  expect(LeavingShop.named(told, "kept")).toEqual([`ConfigMap ${shop.shop}/stays`, `Namespace ${shop.shop}`]);
  expect(LeavingShop.named(told, "deleted")).toEqual(
    [`ConfigMap ${shop.shop}/goes`, `ConfigMap ${shop.bare}/goes`, `Namespace ${shop.bare}`].sort(),
  );
  expect(await noteOf(shop, name, "ClusterLeft")).toContain("left behind 0; kept 2");
}

/** Nothing touched in the member, and all of it told. */
async function expectLeftBehind({ shop, before, name }: Opened): Promise<void> {
  const started = performance.now();
  const { told, problem } = await shop.unjoin();

  expect(performance.now() - started).toBeLessThan(30_000);
  const after = await shop.copies();
  expect([after.stays, after.goes, after.alone].map(uidOf)).toEqual(
    [before.stays, before.goes, before.alone].map(uidOf),
  );
  expect(problem?.exitCode).toBe(4);
  expect(told).toMatchObject({ proven: false, kept: 0, deleted: 0 });
  const names = [`ConfigMap ${shop.shop}/stays`, `ConfigMap ${shop.shop}/goes`, `ConfigMap ${shop.bare}/goes`];
  expect(LeavingShop.named(told, "left")).toEqual(expect.arrayContaining(names));
  const note = await noteOf(shop, name, "ResourcesLeftBehind", "has left");
  for (const one of names) expect(note).toContain(one);
}

function noteOf({ host }: LeavingShop, cluster: string, reason: string, says = ""): Promise<string> {
  return eventually(`an Event ${reason}`, async () => {
    const { items } = await new ResourceClient(host, EVENTS).list({}, "default");
    const about = items.filter(e => e["reason"] === reason && JSON.stringify(e["regarding"]).includes(cluster));
    return about.map(e => String(e["note"])).find(note => note.includes(says));
  });
}

describe("a cluster that is unjoined", () => {
  it("is left in order when it is healthy", async () => {
    await expectInOrder(await opened());
  });

  it("is left as it was decided for this very cluster at the last moment", async () => {
    const world = await opened();
    const { deps, name, shop } = world;
    const rule = (about: string, cascadeDeletion: "orphan" | "background") => ({
      apiVersion: "policy.karmada.io/v1alpha1" as const,
      kind: "CascadeDeletionPolicy" as const,
      metadata: { namespace: shop.shop, name: about },
      spec: {
        resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: about }],
        targetCluster: { clusterNames: [name] },
        cascadeDeletion,
      },
    });
    await deps.host.cascadePolicies.client.create(rule("stays", "background"));
    await deps.host.cascadePolicies.client.create(rule("goes", "orphan"));

    const { told } = await shop.unjoin();

    const after = await shop.copies();
    expect([after.stays, uidOf(after.goes)]).toEqual([undefined, uidOf(world.before.goes)]);
    expect(LeavingShop.named(told, "kept")).toContain(`ConfigMap ${shop.shop}/goes`);
  });

  it("ends when an object does not go, and when a binding does not move", async () => {
    const world = await opened({ ...QUICK, stalledMs: 2_000 });
    const { deps, name, shop } = world;
    const held = { metadata: { finalizers: ["team.example/hold"] } };
    const configMaps = new ResourceClient(shop.member, CONFIG_MAPS);
    const goes = { namespace: shop.shop, name: "goes" };
    await configMaps.mergePatch(goes, held);
    const binding = await deps.host.bindings.create({
      apiVersion: "work.karmada.io/v1alpha2",
      kind: "ResourceBinding",
      metadata: { name: `by-hand-${name}`, namespace: "default" },
      spec: {
        resource: { apiVersion: "v1", kind: "ConfigMap", name: "settings", namespace: "default" },
        clusters: [{ name }],
      },
    });

    const { told, problem } = await shop.unjoin();

    expect(problem).toBeUndefined();
    expect(
      told.objects.find(object => object.namespace === goes.namespace && object.name === goes.name)?.why,
    ).toContain("team.example/hold");
    await configMaps.mergePatch(goes, { metadata: { finalizers: null } });
    await deps.host.bindings.delete(binding);
  });

  it("is left behind as it is when it answers but is not ready", async () => {
    const world = await opened();
    const server = await sickServerBefore("member1");
    await world.deps.host.clusters.mergePatch({ name: world.name }, { spec: { apiEndpoint: server.url } });
    server.fallSick();
    await untilCluster(world.deps, world.name, c => readyOf(c).startsWith("False"));

    await expectLeftBehind(world);
  });

  it("is left behind when it has vanished, and in order once it has come back and was joined again", async () => {
    const world = await opened();
    world.proxy.refuse();
    await untilCluster(world.deps, world.name, c => readyOf(c).startsWith("False"));
    await expectLeftBehind(world);
    expect(isMarked(world.before.stays)).toBe(true);

    world.proxy.pass();
    const connection = await administrator("member1", world.proxy.url);
    const request = { cluster: world.name, namespace: "karmada-cluster" };
    await join(request, {
      host: world.shop.host,
      member: { client: world.shop.member, connection },
      output: collected(),
    });
    await untilCluster(world.deps, world.name, c => readyOf(c) === "True ClusterReady");
    await world.shop.untilSent();
    await eventually("its Works are applied again", () => {
      const conditions = worksOf(world).map(work => conditionOf(work, "Applied")?.status);
      return conditions.length === 3 && conditions.every(status => status === "True");
    });

    await expectInOrder(world);
  });

  it("is left behind when its Secret is gone, which is noticed at once", async () => {
    const world = await opened();
    const started = performance.now();
    await new ResourceClient(world.shop.host, SECRETS).delete(secretOf(world));
    await untilCluster(world.deps, world.name, c => readyOf(c) === "False CredentialsNotFound", 5_000);
    expect(performance.now() - started).toBeLessThan(4_000);

    await expectLeftBehind(world);
  });

  it("is left behind when it no longer accepts its token, although it is up", async () => {
    const world = await opened();
    const accounts = new ResourceClient(world.shop.member, SERVICE_ACCOUNTS);
    await accounts.delete({ namespace: "karmada-cluster", name: accountName(world.name) });
    await untilCluster(world.deps, world.name, c => readyOf(c) === "False CredentialsRefused");

    await expectLeftBehind(world);
  });

  it.each`
    first        | sentence
    ${"Cluster"} | ${"is left in order when its Secret is deleted right after it"}
    ${"Secret"}  | ${"is left in order when its Secret is deleted right before it"}
  `("$sentence", async ({ first }: { first: string }) => {
    // As in production: nothing but the Secret's deletion makes the operator read it again.
    const world = await opened();
    const removeSecret = () => new ResourceClient(world.shop.host, SECRETS).delete(secretOf(world));
    if (first === "Secret") await removeSecret();
    const unjoining = world.shop.unjoin();
    await eventually("it leaves", () => world.deps.host.clusters.get(world.name)?.metadata.deletionTimestamp);
    if (first === "Cluster") await removeSecret();

    await expectInOrder(world, unjoining);
  });
});
