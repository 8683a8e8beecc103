// Does a cluster with controllers and nodes of its own serve as host, without running what is meant for members? (design 1)
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { down, guard, up, type Env } from "../../hack/clusters/index.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import { eventually } from "./support/eventually.js";
import { Shop } from "./support/shop.js";

const dir = mkdtempSync(join(tmpdir(), "holdfast-ordinary-"));
let env: Env;
let callOffGuard: () => Promise<void>;

beforeAll(async () => {
  callOffGuard = guard(dir);
  env = await up({ dir, members: 2, host: "ordinary", operator: true });
});

afterAll(async () => {
  await down(dir);
  await callOffGuard();
  rmSync(dir, { recursive: true, force: true });
});

async function openShop(name: string, labels: object): Promise<Shop> {
  const shop = await Shop.open(env, name);
  onTestFinished(() => shop.close());
  await shop.host.patch({ kind: "Namespace", name: shop.namespace }, { metadata: { labels } });
  return shop;
}

const madeOnHost = async (shop: Shop): Promise<number> => (await shop.host.list("ReplicaSet", shop.namespace)).length;

describe("an ordinary cluster as host", () => {
  it("holds what is in a template namespace, sends it to members, and lets go of it there", async () => {
    const shop = await openShop("held", { [TEMPLATES_LABEL]: "true" });
    const before = await shop.settle({ preserve: true });
    await eventually("the host's own controller was refused", async () =>
      JSON.stringify((await shop.template())?.["status"] ?? {}).includes("holds templates"),
    );
    expect(await madeOnHost(shop)).toBe(0);

    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before);
    expect(await madeOnHost(shop)).toBe(0);
  });

  it("leaves alone what is in other namespaces: that runs there and is sent as well", async () => {
    const shop = await openShop("free", {});
    await shop.settle();
    await eventually("it runs on the host, too", async () => {
      const status = (await shop.template())?.["status"] as { readonly readyReplicas?: number } | undefined;
      return status?.readyReplicas === 2;
    });
  });
});
