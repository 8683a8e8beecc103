// Does a cluster with controllers and nodes of its own serve as host, without running what is meant for members? (design 1)
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { readEnv, type Env } from "../../../hack/clusters/index.js";
import { HELD_MARK, TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, kubectl, type Said } from "../support/case-kubectl.js";
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

/** A Deployment of one Pod that says so soon when it cannot come up; on a node that nobody has, it cannot. */
function deployment(namespace: string, nodeSelector?: object): object {
  const labels = { app: "web" };
  const podSpec = { nodeSelector, containers: [{ name: "web", image: "registry.example/web:1" }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
    spec: {
      progressDeadlineSeconds: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
    },
  };
}

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

  it("ends `kubectl wait` and `kubectl rollout status` as the members' rollout ends", async () => {
    const shop = await openShop("waited", { [TEMPLATES_LABEL]: "true" });
    const { namespace } = shop;
    const on = (...args: readonly string[]): Promise<Said> => kubectl("host", ["-n", namespace, ...args]);
    await applied("host", shop.policyYaml());
    await applied("host", deployment(namespace, { "no-such": "node" }));
    expect(await on("rollout", "status", "deployment/web", "--timeout=60s")).toMatchObject({
      code: 1,
      text: expect.stringContaining("exceeded its progress deadline"),
    });

    await applied("host", deployment(namespace));
    expect(await on("wait", "--for=condition=Available", "deployment/web", "--timeout=60s")).toMatchObject({ code: 0 });
    expect(await on("rollout", "status", "deployment/web", "--timeout=60s")).toMatchObject({ code: 0 });
    expect(await madeOnHost(shop)).toBe(0);
  });
});
