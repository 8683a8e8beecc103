// Are namespaces in members made when they are needed, and taken away only when nobody can miss them?
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeClient } from "../../lib/kube/client.js";
import { CONFIG_MAPS, NAMESPACES } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { ensureMemberNamespace, isOurNamespace } from "../../lib/kube/member-namespace.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { administrator } from "./support/engine.js";
import { joinThroughProxy, readyOf, startFederation, uniqueName, untilCluster } from "./support/federation.js";

async function readyMember(deps: Dependencies): Promise<Member & { readonly name: string }> {
  const { name } = await joinThroughProxy(deps, "member1");
  await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
  const member = deps.members.get(name);
  if (!member) throw new Error("no member");
  return member;
}

function namespaceCalled(name: string, labels: Record<string, string> = {}): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

/** On the host as well, and known to the operator. */
async function hostNamespace(deps: Dependencies, name: string, labels = {}): Promise<KubeObject> {
  return deps.host.namespaces.create(namespaceCalled(name, labels));
}

/** For reads that must not depend on what is tested. */
async function memberNamespaces(): Promise<ResourceClient> {
  return new ResourceClient(new KubeClient(await administrator("member1")), NAMESPACES);
}

function settings(namespace: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { a: "b" } };
}

describe("ensureMemberNamespace", () => {
  it("makes a namespace with our two marks and the host's labels", async () => {
    const deps = await startFederation();
    const member = await readyMember(deps);
    const name = uniqueName("shop");
    const host = await hostNamespace(deps, name, { "pod-security.kubernetes.io/enforce": "baseline" });

    await ensureMemberNamespace(member, name, host);

    const made = await member.namespaces.find({ name });
    expect(made && isOurNamespace(member.name, made)).toBe(true);
    expect(made?.metadata.labels?.["pod-security.kubernetes.io/enforce"]).toBe("baseline");
    expect(made?.metadata.annotations).toBeUndefined();
    await deps.host.namespaces.delete(host);
  });

  it("never touches a namespace that was there", async () => {
    const deps = await startFederation();
    const member = await readyMember(deps);
    const before = await member.namespaces.create(namespaceCalled(uniqueName("theirs")));

    await ensureMemberNamespace(member, before.metadata.name, namespaceCalled(before.metadata.name, { team: "a" }));

    expect(await member.namespaces.find(before.metadata)).toEqual(before);
    await member.namespaces.delete(before.metadata);
  });

  it("makes it once when many ask at the same time", async () => {
    const deps = await startFederation();
    const member = await readyMember(deps);
    const name = uniqueName("race");
    const host = await hostNamespace(deps, name);

    await Promise.all(Array.from({ length: 8 }, () => ensureMemberNamespace(member, name, host)));

    const made = await member.namespaces.find({ name });
    expect(made && isOurNamespace(member.name, made)).toBe(true);
    await deps.host.namespaces.delete(host);
  });

  it("leaves no mark on one that somebody else makes at the same moment", async () => {
    const deps = await startFederation();
    const member = await readyMember(deps);
    for (let i = 0; i < 10; i++) {
      const name = uniqueName("duel");
      const theirs = member.namespaces.create(namespaceCalled(name, { team: "a" })).catch(() => undefined);
      await Promise.all([theirs, ensureMemberNamespace(member, name, undefined)]);
      const live = await member.namespaces.find({ name });
      // Whoever came first has made it; a mark is there only when that was us.
      expect(live && isOurNamespace(member.name, live)).toBe((await theirs) === undefined);
      await member.namespaces.delete({ name });
    }
  });

  it("never makes a system namespace", async () => {
    const deps = await startFederation();
    const member = await readyMember(deps);

    for (const name of ["kube-system", "kube-own", "default", "karmada-system", "holdfast-system"]) {
      await expect(ensureMemberNamespace(member, name, undefined)).rejects.toThrow(`namespace ${name} is a system`);
    }
  });
});

describe("a namespace that we made", () => {
  async function made(): Promise<{ deps: Dependencies; member: Member; host: KubeObject; name: string }> {
    const deps = await startFederation();
    const member = await readyMember(deps);
    const name = uniqueName("shop");
    const host = await hostNamespace(deps, name);
    await ensureMemberNamespace(member, name, host);
    return { deps, member, host, name };
  }

  it("stays while the host has its own, empty or not", async () => {
    const { deps, member, host, name } = await made();

    await new Promise(resolve => setTimeout(resolve, 1_500));

    expect((await member.namespaces.find({ name }))?.metadata.deletionTimestamp).toBeUndefined();
    await deps.host.namespaces.delete(host);
  });

  it("goes when the host's is gone and it is empty", async () => {
    const { deps, member, host, name } = await made();

    await deps.host.namespaces.delete(host);

    await vi.waitFor(async () => expect(await member.namespaces.find({ name })).toBeUndefined(), { timeout: 20_000 });
  });

  it("is kept, without a mark, when it holds anything", async () => {
    const { deps, member, host, name } = await made();
    const configMaps = new ResourceClient(member.client, CONFIG_MAPS);
    const before = await configMaps.create(settings(name));

    await deps.host.namespaces.delete(host);

    await vi.waitFor(
      async () => {
        const live = await member.namespaces.find({ name });
        expect(live?.metadata.labels).toEqual({ "kubernetes.io/metadata.name": name });
        expect(live?.metadata.deletionTimestamp).toBeUndefined();
      },
      { timeout: 20_000 },
    );
    expect((await configMaps.find(before.metadata))?.metadata.uid).toBe(before.metadata.uid);
    await member.namespaces.delete({ name });
  });

  it("goes when it becomes empty soon after", async () => {
    const { deps, member, host, name } = await made();
    const configMaps = new ResourceClient(member.client, CONFIG_MAPS);
    const object = settings(name);
    await configMaps.create({ ...object, metadata: { ...object.metadata, finalizers: ["holdfast.dev/test"] } });
    const going = await configMaps.delete(object.metadata);

    await deps.host.namespaces.delete(host);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect((await member.namespaces.find({ name }))?.metadata.deletionTimestamp).toBeUndefined();
    if (going) await configMaps.removeFinalizer(going, "holdfast.dev/test");

    await vi.waitFor(async () => expect(await member.namespaces.find({ name })).toBeUndefined(), { timeout: 20_000 });
  });

  it("goes when the cluster leaves and it is empty, and one that holds something is let go", async () => {
    const { deps, member, host, name } = await made();
    const full = uniqueName("full");
    const other = await hostNamespace(deps, full);
    await ensureMemberNamespace(member, full, other);
    await new ResourceClient(member.client, CONFIG_MAPS).create(settings(full));
    const namespaces = await memberNamespaces();

    const cluster = deps.host.clusters.get(member.name);
    if (cluster) await deps.host.clusters.delete(cluster);
    await untilCluster(deps, member.name, c => c === undefined, 20_000);

    await vi.waitFor(async () => expect(await namespaces.find({ name })).toBeUndefined(), { timeout: 10_000 });
    expect((await namespaces.find({ name: full }))?.metadata.labels).toEqual({ "kubernetes.io/metadata.name": full });
    await namespaces.delete({ name: full });
    await Promise.all([host, other].map(namespace => deps.host.namespaces.delete(namespace)));
    await namespaces.client.close();
  });
});
