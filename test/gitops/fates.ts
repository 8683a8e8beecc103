// What has become of the copies of the Deployment `web`, and of what stood on the host for it?
import { expect } from "vitest";
import { eventually } from "../integration/support/eventually.js";
import { isMarked } from "../integration/support/shop.js";
import type { Site, Target } from "../integration/support/site.js";

/** The ceiling of whatever is waited for: several suites may share the machine. */
export const CEILING_MS = 120_000;

/** The Deployment `web` of a namespace. */
export const webIn = (namespace: string): Target => ({ kind: "Deployment", namespace, name: "web" });

/** The uids of the copies, member by member. */
export async function uidsOf(members: readonly Site[], namespace: string): Promise<(string | undefined)[]> {
  const copies = await Promise.all(members.map(member => member.find(webIn(namespace))));
  return copies.map(copy => copy?.metadata.uid);
}

/** Waits until a member was let go of: the very object is there, and carries no mark of ours. */
export async function kept(member: Site, namespace: string, uid: string | undefined): Promise<void> {
  await eventually(`${member.name} has let go`, async () => !isMarked(await member.find(webIn(namespace))), CEILING_MS);
  const copy = await member.find(webIn(namespace));
  expect(copy?.metadata.uid).toBe(uid);
  expect(copy?.metadata).not.toHaveProperty("deletionTimestamp");
}

/** Waits until the copy is gone. */
export function deleted(member: Site, namespace: string): Promise<unknown> {
  return eventually(`web is gone from ${member.name}`, async () => !(await member.find(webIn(namespace))), CEILING_MS);
}

/** Waits until nothing that we made on the host for the namespace is left. */
export function cleared(host: Site, namespace: string): Promise<unknown> {
  return eventually(
    "bindings and Works are gone",
    async () => (await generated(host, namespace)).length === 0,
    CEILING_MS,
  );
}

/** The bindings of a namespace, and the Works of them: what Holdfast writes on the host and Git does not hold. */
export async function generated(host: Site, namespace: string) {
  const bindings = await host.list("ResourceBinding", namespace);
  const works = await Promise.all(["member1", "member2"].map(member => host.list("Work", `karmada-es-${member}`)));
  return [...bindings, ...works.flat().filter(work => JSON.stringify(work).includes(`"namespace":"${namespace}"`))];
}
