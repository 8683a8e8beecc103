// Does a cluster with controllers and nodes of its own serve as host, without running what is meant for members? (design 1)
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { readEnv, type Env } from "../../../hack/clusters/index.js";
import { HELD_MARK, TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { eventually } from "../support/eventually.js";
import { Shop } from "../support/shop.js";

let env: Env;

beforeAll(() => {
  env = readEnv(inject("clusters"));
});

async function openShop(name: string, labels: object): Promise<Shop> {
  const shop = await Shop.open(env, name);
  onTestFinished(() => shop.close());
  await shop.host.patch({ kind: "Namespace", name: shop.namespace }, { metadata: { labels } });
  return shop;
}

const madeOnHost = async (shop: Shop): Promise<number> => (await shop.host.list("ReplicaSet", shop.namespace)).length;

const readyOnHost = async (shop: Shop): Promise<number | undefined> =>
  ((await shop.template())?.["status"] as { readonly readyReplicas?: number } | undefined)?.readyReplicas;

describe("an ordinary cluster as host", () => {
  it("holds what is in a template namespace, sends it to members, and lets go of it there", async () => {
    const shop = await openShop("held", { [TEMPLATES_LABEL]: "true" });
    const before = await shop.settle({ preserve: true });
    expect((await shop.template())?.metadata.labels).toHaveProperty([HELD_MARK], "true");
    await eventually("the members' sum stands on the host", async () => (await readyOnHost(shop)) === 4);
    expect(await madeOnHost(shop)).toBe(0);

    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before);
    expect(await madeOnHost(shop)).toBe(0);
  });

  it("leaves alone what is in other namespaces: that runs there and is sent as well", async () => {
    const shop = await openShop("free", {});
    await shop.settle();
    await eventually("it runs on the host, too", async () => (await readyOnHost(shop)) === 2);
    expect((await shop.template())?.metadata.labels).not.toHaveProperty([HELD_MARK]);
  });
});
