// Does an uninstall wait for every accepted deletion, and ask no more than it has to?
import { describe, expect, it } from "vitest";
import { LET_GO_FINALIZER } from "../domain/marks.js";
import type { KubeClient } from "../kube/client.js";
import { silentLog } from "./log.js";
import { letDeletionsFinish } from "./pending-deletions.js";

const KINDS = ["configmaps", "secrets", "services", "pods"];
const VERBS = ["list", "patch"];

const resource = (plural: string) => ({
  ...{ resource: plural, responseKind: { kind: plural.slice(0, -1) }, scope: "Namespaced", verbs: VERBS },
});

/** An API server. `leavingAt` says which of its kinds have an object on its way out when they are listed for the nth time. */
function server(leavingAt: (plural: string, time: number) => boolean) {
  const lists: string[] = [];
  const discovery = (versions: readonly object[]) => ({
    kind: "APIGroupDiscoveryList",
    items: versions.length > 0 ? [{ metadata: { name: "" }, versions }] : [],
  });
  const request = (_method: string, path: string): Promise<unknown> => {
    if (path === "/api") return Promise.resolve(discovery([{ version: "v1", resources: KINDS.map(resource) }]));
    if (path === "/apis") return Promise.resolve(discovery([]));
    const plural = path.split("/").at(-1) ?? "";
    const time = lists.filter(each => each === plural).length + 1;
    lists.push(plural);
    const metadata = { name: "web", namespace: "shop", finalizers: [LET_GO_FINALIZER], deletionTimestamp: "t" };
    return Promise.resolve({ items: leavingAt(plural, time) ? [{ metadata }] : [] });
  };
  return { client: { request } as unknown as KubeClient, lists };
}

const wait = (client: KubeClient, signal = AbortSignal.timeout(5_000)) =>
  letDeletionsFinish(client, silentLog, signal, 1);

describe("letDeletionsFinish", () => {
  it("lists each kind once when nothing is on its way out", async () => {
    const { client, lists } = server(() => false);
    await wait(client);
    expect(lists.sort()).toEqual([...KINDS].sort());
  });

  it("lists again only what is waited for, and everything once more at the end", async () => {
    const { client, lists } = server((plural, time) => plural === "secrets" && time <= 10);
    await wait(client);
    const count = (plural: string): number => lists.filter(each => each === plural).length;
    expect(KINDS.map(plural => [plural, count(plural)])).toEqual([
      ["configmaps", 2],
      // Ten looks find something, one finds nothing, and the last is that at everything.
      ["secrets", 12],
      ["services", 2],
      ["pods", 2],
    ]);
  });

  it("waits also for what is deleted meanwhile", async () => {
    const { client, lists } = server(
      (plural, time) => (plural === "secrets" && time <= 2) || (plural === "services" && time >= 2 && time <= 4),
    );
    await wait(client);
    expect(lists.filter(each => each === "services")).toHaveLength(6);
  });

  it("gives up when its time is over", async () => {
    const { client } = server(() => true);
    await expect(wait(client, AbortSignal.timeout(20))).resolves.toBeUndefined();
  });
});
