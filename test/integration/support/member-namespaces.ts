// How do tests make namespaces on the host and in a member, and see what becomes of them?
import { expect, vi } from "vitest";
import type { ClusterCascadeDeletionPolicy } from "../../../crds/cluster-cascade-deletion-policy.js";
import type { KubeObject } from "../../../crds/object.js";
import type { Dependencies } from "../../../lib/engine/dependencies.js";
import type { Member } from "../../../lib/kube/member.js";
import { ensureMemberNamespace } from "../../../lib/kube/member-namespace.js";
import type { ResourceClient } from "../../../lib/kube/resource.js";
import { uniqueName } from "./federation.js";

const HOLD = "holdfast.dev/test";

/** One for each prefix, on the host and made by us in the member. */
export async function madeOnDemand<const N extends readonly string[]>(
  deps: Dependencies,
  member: Member,
  prefixes: N,
): Promise<{ readonly [I in keyof N]: KubeObject }> {
  const made = prefixes.map(async prefix => {
    const metadata = { name: uniqueName(prefix) };
    const object = await deps.host.namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata });
    await ensureMemberNamespace(member, object.metadata.name, object);
    return object;
  });
  return (await Promise.all(made)) as { readonly [I in keyof N]: KubeObject };
}

/** The template's annotation about deletion. */
export function annotated(word: string) {
  return { metadata: { annotations: { "resourcetemplate.karmada.io/cascadedeletion": word } } };
}

/** A policy about deletion that keeps a namespace by its name, and is called like it. */
export function keeping(name: string): ClusterCascadeDeletionPolicy {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "ClusterCascadeDeletionPolicy",
    metadata: { name },
    spec: { resourceSelectors: [{ apiVersion: "v1", kind: "Namespace", name }], cascadeDeletion: "orphan" },
  };
}

/** Deletes namespaces; a finalizer holds them, so that they can be written to meanwhile. */
export async function beginDeletion(namespaces: ResourceClient, objects: readonly KubeObject[]): Promise<void> {
  for (const { metadata } of objects) {
    await namespaces.mergePatch(metadata, { metadata: { finalizers: [HOLD] } });
    await namespaces.delete(metadata);
  }
}

/** Lets go of what `beginDeletion` holds. */
export async function finishDeletion(namespaces: ResourceClient, objects: readonly KubeObject[]): Promise<void> {
  for (const { metadata } of objects) {
    const live = await namespaces.find(metadata);
    if (live) await namespaces.removeFinalizer(live, HOLD);
  }
}

/** Waits for the end. */
export function untilGone(namespaces: ResourceClient, { metadata: { name } }: KubeObject): Promise<void> {
  return vi.waitFor(async () => expect(await namespaces.find({ name })).toBeUndefined(), { timeout: 20_000 });
}

/** Waits until it is free of marks, demands that it is not on its way out, and cleans up. */
export async function untilLetGo(namespaces: ResourceClient, { metadata: { name } }: KubeObject): Promise<void> {
  await vi.waitFor(
    async () => {
      const live = await namespaces.find({ name });
      expect(live?.metadata.labels).toEqual({ "kubernetes.io/metadata.name": name });
      expect(live?.metadata.deletionTimestamp).toBeUndefined();
    },
    { timeout: 20_000 },
  );
  await namespaces.delete({ name });
}
