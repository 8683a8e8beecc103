// Does a real API server agree with the patches that adopt and release a member object?
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { adoptPatch } from "../../lib/domain/adopt.js";
import { stableHash } from "../../lib/domain/drift.js";
import { isRecord, updateAt } from "../../lib/domain/json-value.js";
import type { PatchOperation } from "../../lib/domain/json-patch.js";
import { MANAGED_LABEL } from "../../lib/domain/marks.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import { releasePatch } from "../../lib/domain/release.js";
import { NAMESPACE, openClusters, type ClusterUnderTest } from "./ownership-cluster.js";
import { containersOf, older, web, withoutEnv } from "./ownership-objects.js";

let host: ClusterUnderTest;
let member: ClusterUnderTest;

beforeAll(async () => {
  const clusters = await openClusters(inject("clusters"));
  ({ host, member } = clusters);
  return clusters.close;
});

/** What a release promises to leave as it was: all but status and the counters of the API server. */
function comparable(object: KubeObject): unknown {
  const { managedFields = [], ...metadata } = object.metadata;
  const owners = managedFields.filter(entry => entry.subresource !== "status").map(ownership);
  const counters = { resourceVersion: undefined, generation: undefined };
  return { ...object, status: undefined, metadata: { ...metadata, ...counters, owners: owners.sort() } };
}

function ownership(entry: ManagedFieldsEntry): string {
  return `${entry.manager} ${entry.operation} ${stableHash({ ...entry, time: undefined })}`;
}

const CLIENT_SIDE = ["apply"];
const SERVER_SIDE = ["apply", "--server-side"];
const ARGO = serverSide("argocd-controller");
const FLUX = serverSide("kustomize-controller");
const TEAM = serverSide("team");

/** How members' objects come about, how their owner declares them again, and whether it can then take a field away. */
const WAYS = [
  { way: "kubectl apply", make: CLIENT_SIDE, again: [CLIENT_SIDE], drops: true },
  { way: "kubectl apply --server-side", make: SERVER_SIDE, again: [SERVER_SIDE], drops: true },
  { way: "kubectl apply, then --server-side", make: CLIENT_SIDE, again: [SERVER_SIDE], drops: true },
  { way: "kubectl create", make: ["create"], again: [CLIENT_SIDE, SERVER_SIDE], drops: false },
  { way: "helm", make: ["create", "--field-manager=helm"], again: [["apply", "--field-manager=helm"]], drops: false },
  { way: "Argo CD", make: ARGO, again: [ARGO], drops: true },
  { way: "Flux", make: FLUX, again: [FLUX], drops: true },
  { way: "an unknown team", make: TEAM, again: [TEAM], drops: true },
];

function serverSide(manager: string): readonly string[] {
  return ["apply", "--server-side", `--field-manager=${manager}`];
}

function nameOf(test: string, way: string): string {
  return `${test}-${way.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
}

async function adopt(name: string, manifest: KubeObject): Promise<KubeObject> {
  const before = await patchLive(name, live => adoptPatch(live, manifest));
  await member.applyAsHoldfast(manifest);
  return before;
}

async function release(name: string, before?: KubeObject): Promise<void> {
  await patchLive(name, live => releasePatch(live, before));
}

/** As the engine does: read, patch, and once more when a controller came in between. Returns what was read. */
async function patchLive(
  name: string,
  plan: (live: KubeObject) => readonly PatchOperation[] | undefined,
): Promise<KubeObject> {
  for (let attempt = 1; ; attempt++) {
    const live = member.read("deployment", name);
    const operations = plan(live);
    try {
      if (operations) await member.patch(live, operations);
      return live;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

describe("adopt and release", () => {
  it.each(WAYS)("leaves an object made by $way as it was before", async ({ way, make }) => {
    const name = nameOf("same", way);
    member.kubectl([...make, "-f", "-"], web(name));
    host.kubectl(["apply", "-f", "-"], web(name));

    const before = await adopt(name, ownedManifest(host.read("deployment", name)));
    expect(member.read("deployment", name).metadata.generation).toBe(before.metadata.generation);
    await release(name, before);

    const after = member.read("deployment", name);
    expect(comparable(after)).toEqual(comparable(before));
    expect(after.metadata.labels).toBeUndefined();
    expect(releasePatch(after)).toBeUndefined();
  });

  it.each(WAYS)("lets $way declare the object again after a release", async ({ way, make, again, drops }) => {
    const name = nameOf("again", way);
    member.kubectl([...make, "-f", "-"], older(name));
    await release(name, await adopt(name, web(name)));

    // No --force-conflicts: a conflict would fail the command.
    const declared = withoutEnv(web(name, "registry.example/web:2.0"));
    for (const command of again) member.kubectl([...command, "-f", "-"], declared);

    const [container] = containersOf(member.read("deployment", name));
    expect(container).toMatchObject({ image: "registry.example/web:2.0" });
    expect(isRecord(container) && "env" in container).toBe(!drops);
  });

  it.each(WAYS.filter(({ way }) => way !== "an unknown team"))(
    "removes what the template lacks from an object made by $way",
    async ({ way, make }) => {
      const name = nameOf("lean", way);
      member.kubectl([...make, "-f", "-"], older(name));
      await adopt(name, web(name));

      const live = member.read("deployment", name);
      expect(containersOf(live)).toMatchObject([{ name: "c", env: [{ name: "MODE", value: "fast" }] }]);
      expect(adoptPatch(live, web(name))).toBeUndefined();
    },
  );

  it("keeps what a controller added, and the replica count when the manifest has none", async () => {
    const name = "others";
    member.kubectl(["apply", "-f", "-"], web(name));
    member.kubectl(["scale", "deployment", name, "--replicas=6"]);
    const restarted = { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z" } } };
    const stamp = JSON.stringify({ spec: { template: restarted } });
    member.kubectl(["patch", "deployment", name, "--field-manager=kubectl-rollout", "-p", stamp]);

    const before = await adopt(
      name,
      updateAt(web(name), ["spec", "replicas"], () => undefined),
    );

    const live = member.read("deployment", name);
    expect(live.spec).toMatchObject({ replicas: 6 });
    expect(live.spec).toEqual(before.spec);
    expect(live.metadata.generation).toBe(before.metadata.generation);
  });

  it("lets go of an object that only we had made, and nobody conflicts with what is left", async () => {
    const name = "ours-alone";
    await member.applyAsHoldfast(web(name));
    await release(name);

    const after = member.read("deployment", name);
    expect(after.metadata.labels).toBeUndefined();
    expect(releasePatch(after)).toBeUndefined();
    member.kubectl(
      ["apply", "--server-side", "--field-manager=team", "-f", "-"],
      web(name, "registry.example/web:2.0"),
    );
    const managers = member.read("deployment", name).metadata.managedFields?.map(entry => entry.manager);
    expect(managers).not.toContain("before-first-apply");
  });

  it("changes nothing when the object changed after it was read", async () => {
    const name = "guarded";
    await member.applyAsHoldfast(web(name));
    const stale = member.read("deployment", name);
    member.kubectl(["annotate", "deployment", name, "note=changed"]);

    await expect(member.patch(stale, releasePatch(stale) ?? [])).rejects.toThrow();

    expect(member.read("deployment", name).metadata.labels).toHaveProperty(MANAGED_LABEL);
  });

  it("takes every key of Karmada's away and leaves those of people", async () => {
    const name = "karmada-marks";
    const people = { team: "blue" };
    await member.applyAsHoldfast({ ...web(name), metadata: { name, namespace: NAMESPACE, labels: people } });
    member.kubectl(["label", "deployment", name, "clusterpropagationpolicy.karmada.io/permanent-id=x"]);
    member.kubectl(["annotate", "deployment", name, "work.karmada.io/conflict-resolution=abort", "note=keep me"]);
    member.kubectl(["label", "deployment", name, "team=blue", "--overwrite"]);

    await release(name);

    const { labels, annotations } = member.read("deployment", name).metadata;
    expect(labels).toEqual(people);
    expect(annotations).toEqual({ note: "keep me" });
  });
});
