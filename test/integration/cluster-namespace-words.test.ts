// Is an empty namespace that we made in a member kept or deleted as the host said when its own was deleted?
import { describe, expect, it, vi } from "vitest";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { clientFor } from "./support/engine.js";
import { joinThroughProxy, startFederation, stopFederation, untilCluster } from "./support/federation.js";
import {
  annotated,
  beginDeletion,
  finishDeletion,
  keeping,
  madeOnDemand,
  untilGone,
  untilLetGo,
} from "./support/member-namespaces.js";

const EVENTS = { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };

function readyMember(deps: Dependencies, name: string): Promise<Member> {
  return vi.waitFor(
    () => {
      const member = deps.members.get(name);
      if (!member?.ready) throw new Error(`${name} is not ready yet`);
      return member;
    },
    { timeout: 15_000, interval: 20 },
  );
}

/** Reads and writes that do not depend on what is tested. */
async function sides() {
  const [host, member] = await Promise.all([clientFor("host"), clientFor("member1")]);
  return { namespaces: new ResourceClient(host, NAMESPACES), inMember: new ResourceClient(member, NAMESPACES) };
}

describe("an empty namespace that we made in a member", () => {
  it("is judged by what stood on the host when the namespace there was deleted", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const all = await madeOnDemand(deps, await readyMember(deps, name), ["bare", "orphan", "typo", "ruled", "flipped"]);
    const [bare, orphan, typo, ruled, flipped] = all;
    const { namespaces, inMember } = await sides();
    const rules = deps.host.clusterCascadePolicies.client;
    await namespaces.mergePatch(orphan.metadata, annotated("orphan"));
    await namespaces.mergePatch(typo.metadata, annotated("ophran"));
    await namespaces.mergePatch(flipped.metadata, annotated("orphan"));
    await rules.create(keeping(ruled.metadata.name));

    await beginDeletion(namespaces, all);
    await namespaces.mergePatch(bare.metadata, annotated("orphan"));
    await namespaces.mergePatch(flipped.metadata, annotated("background"));
    await rules.delete(ruled.metadata);
    await finishDeletion(namespaces, all);

    await untilGone(inMember, bare);
    for (const kept of [orphan, typo, ruled, flipped]) await untilLetGo(inMember, kept);
  });

  it("is judged likewise when the operator starts in the middle of it, and stays when nobody saw the deletion", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const all = await madeOnDemand(deps, await readyMember(deps, name), ["bare", "flipped", "unseen"]);
    const [bare, flipped, unseen] = all;
    const { namespaces, inMember } = await sides();
    await stopFederation(deps);
    await namespaces.mergePatch(flipped.metadata, annotated("orphan"));
    await namespaces.delete(unseen.metadata);
    await beginDeletion(namespaces, [bare, flipped]);
    await namespaces.mergePatch(bare.metadata, annotated("orphan"));
    await namespaces.mergePatch(flipped.metadata, annotated("background"));
    await untilGone(namespaces, unseen);

    const after = await startFederation();
    await readyMember(after, name);
    await untilLetGo(inMember, unseen);
    await finishDeletion(namespaces, [bare, flipped]);

    await untilGone(inMember, bare);
    await untilLetGo(inMember, flipped);
    const events = await new ResourceClient(namespaces.client, EVENTS).list({}, "default");
    const note = events.items.map(e => String(e["note"])).find(text => text.includes(unseen.metadata.name));
    expect(note).toContain("nobody saw the host's namespace go");
  });

  it("is judged by what stood on the host when its cluster was removed", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const all = await madeOnDemand(deps, await readyMember(deps, name), ["bare", "flipped"]);
    const [bare, flipped] = all;
    const { namespaces, inMember } = await sides();
    await namespaces.mergePatch(flipped.metadata, annotated("orphan"));

    await deps.host.clusters.client.delete({ name });
    await namespaces.mergePatch(flipped.metadata, annotated("background"));
    await namespaces.mergePatch(bare.metadata, annotated("orphan"));
    await untilCluster(deps, name, c => c === undefined, 20_000);

    await untilGone(inMember, bare);
    await untilLetGo(inMember, flipped);
    await Promise.all(all.map(({ metadata }) => namespaces.delete(metadata)));
  });
});
