// Does a person who deletes read what becomes of the copies, and is it true?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { CASCADE_DELETION_ANNOTATION } from "../../../lib/domain/marks.js";
import { openShop } from "../support/case.js";
import { applied, kubectl, warningsIn, type Said } from "../support/case-kubectl.js";
import { cascadePolicy, configMap, policy, WEB } from "../support/case-objects.js";
import { absent, present } from "../support/case-world.js";
import { eventually } from "../support/eventually.js";
import type { Shop, ShopOptions } from "../support/shop.js";

const DRY = "--dry-run=server";

/** `kubectl delete` of what is in a shop, without waiting for its end. */
function drop(shop: Shop, ...args: readonly string[]): Promise<Said> {
  return kubectl("host", ["-n", shop.namespace, "delete", "--wait=false", ...args]);
}

/** A shop whose pods have been counted in both members. */
async function counted(name: string, options: ShopOptions = {}): Promise<Shop> {
  const shop = await openShop(name);
  await shop.settle(options);
  await eventually("pods are reported", async () => {
    const items = (await shop.findBinding())?.status?.aggregatedStatus ?? [];
    return items.every(({ status }) => (status as { replicas?: number } | undefined)?.replicas === 2);
  });
  return shop;
}

/** What only a person changes of a template: the members' sum may be written into its status at any time. */
function lasting(template: KubeObject | undefined) {
  const { resourceVersion: _, managedFields, ...metadata } = template?.metadata ?? { name: "" };
  return { metadata, managedFields: managedFields?.filter(({ subresource }) => subresource !== "status") };
}

/** Waits for the facts of admission to be those of a moment ago. */
async function says(ask: () => Promise<Said>, wanted: readonly string[]): Promise<void> {
  await eventually(`the answer is ${wanted.join(" | ")}`, async () => {
    const said = await ask();
    if (said.code === 0 && JSON.stringify(warningsIn(said)) === JSON.stringify(wanted)) return true;
    throw new Error(said.text);
  });
}

describe("deleting a template", () => {
  it.concurrent("names each member and the pods there, with no effect in a dry run", async () => {
    const shop = await counted("warn-gone");
    const before = await shop.template();
    const wanted = [`Deployment ${shop.namespace}/web: will be deleted in member1 (2 pods), member2 (2 pods)`];

    await says(() => drop(shop, "deployment", "web", DRY), wanted);
    await says(() => drop(shop, "deployment", "--all", DRY), wanted);
    const after = await shop.template();
    expect(lasting(after)).toEqual(lasting(before));

    expect(warningsIn(await drop(shop, "deployment", "web"))).toEqual(wanted);
    await shop.gone();
    await shop.deletedIn("member1", "member2");
  });

  it.concurrent("says what is kept, also when that was decided a moment ago", async () => {
    const shop = await openShop("warn-kept");
    const before = await shop.settle();
    await shop.preserve(true);
    const said = await drop(shop, "deployment", "web");

    expect(warningsIn(said)).toEqual([`Deployment ${shop.namespace}/web: kept in member1, member2`]);
    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("says that --cascade=orphan keeps", async () => {
    const shop = await openShop("warn-orphan");
    const before = await shop.settle();
    const wanted = [`Deployment ${shop.namespace}/web: kept in member1, member2`];

    await says(() => drop(shop, "deployment", "web", "--cascade=orphan", DRY), wanted);
    expect(warningsIn(await drop(shop, "deployment", "web", "--cascade=orphan"))).toEqual(wanted);
    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("tells apart what differs by cluster, and what was there before", async () => {
    const shop = await openShop("warn-apart");
    const { namespace } = shop;
    await shop.settle({ replicas: 0 });
    const rule = { cascadeDeletion: "orphan", resourceSelectors: [WEB], targetCluster: { clusterNames: ["member1"] } };
    await applied("host", cascadePolicy(namespace, "keep", rule));
    const name = `Deployment ${namespace}/web`;
    await says(
      () => drop(shop, "deployment", "web", DRY),
      [`${name}: will be deleted in member2`, `${name}: kept in member1`],
    );

    await shop.host.patch(shop.web, { metadata: { annotations: { [CASCADE_DELETION_ANNOTATION]: "adopted" } } });
    await says(
      () => drop(shop, "deployment", "web", DRY),
      [`${name}: kept in member1, member2 if it was there before, else deleted`],
    );
  });

  it.concurrent("speaks of copies also when the policy is gone", async () => {
    const shop = await openShop("warn-frozen");
    await shop.settle({ preserve: true });
    const said = await drop(shop, "pp", "web-pp");
    expect(warningsIn(said)).toEqual([
      `PropagationPolicy ${shop.namespace}/web-pp: copies of 1 template stay until a policy claims them`,
    ]);
    await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
    expect((await shop.uids()).member1).not.toBe("");

    await says(
      () => drop(shop, "deployment", "web", DRY),
      [`Deployment ${shop.namespace}/web: kept in member1, member2`],
    );
  });

  it.concurrent("is silent about what is no template", async () => {
    const shop = await openShop("warn-none");
    await applied("host", configMap({ name: "plain", namespace: shop.namespace }));
    const said = await drop(shop, "configmap", "plain");
    expect(said.code).toBe(0);
    expect(warningsIn(said)).toEqual([]);
  });
});

describe("deleting many at once", () => {
  const one = (shop: Shop, name: string): KubeObject => configMap({ name, namespace: shop.namespace });

  it("names each, in a collection as with --all", async () => {
    const shop = await openShop("warn-many");
    const { namespace } = shop;
    const names = ["a", "b", "c"];
    const resourceSelectors = names.map(name => ({ apiVersion: "v1", kind: "ConfigMap", name }));
    const placement = { clusterAffinity: { clusterNames: ["member1"] } };
    await applied(
      "host",
      ...names.map(name => one(shop, name)),
      policy(namespace, "p", { resourceSelectors, placement }),
    );
    await Promise.all(names.map(name => present("member1", one(shop, name))));
    const wanted = names.map(name => `ConfigMap ${namespace}/${name}: will be deleted in member1`);
    await eventually("each is reported", async () => {
      return warningsIn(await drop(shop, "configmap", ...names, DRY)).join() === wanted.join();
    });

    // What `kubectl` never sends and controllers do: one request for all; its reviews bear no name.
    const all = `/api/v1/namespaces/${namespace}/configmaps`;
    const said = await kubectl("host", ["delete", "--raw", all]);
    expect(said.code).toBe(0);
    expect(warningsIn(said).sort()).toEqual(wanted);
    await Promise.all(names.map(name => absent("member1", one(shop, name))));
  });
});

describe("deleting a Namespace", () => {
  it("counts the templates in it and what becomes of their copies", async () => {
    const shop = await openShop("warn-ns");
    const { namespace } = shop;
    const before = await shop.settle({ preserve: true, replicas: 0 });
    const lost = configMap({ name: "lost", namespace });
    const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", name: "lost" }];
    const placement = { clusterAffinity: { clusterNames: ["member1"] } };
    await applied("host", lost, policy(namespace, "p", { resourceSelectors, placement }));
    await present("member1", lost);
    const remove = (...args: string[]) => kubectl("host", ["delete", "namespace", namespace, "--wait=false", ...args]);
    const wanted = [
      `Namespace ${namespace}: holds 2 templates, deleted with it`,
      `Namespace ${namespace}: copies that will be deleted: 1 in member1`,
      `Namespace ${namespace}: copies that are kept: 1 in member1, 1 in member2`,
    ];

    await says(() => remove(DRY), wanted);
    await says(
      () => remove(DRY, "--cascade=orphan"),
      [...wanted, `Namespace ${namespace}: --cascade=orphan is about the Namespace alone and not about what it holds`],
    );
    expect(await shop.host.find({ kind: "Namespace", name: namespace })).not.toHaveProperty(
      "metadata.deletionTimestamp",
    );

    expect(warningsIn(await remove())).toEqual(wanted);
    await shop.gone();
    await shop.released(before);
    await absent("member1", lost);
  });
});

describe("turning preserve off", () => {
  it.concurrent("tells how many copies that concerns, and nothing where it concerns none", async () => {
    const shop = await openShop("warn-off");
    await shop.settle({ preserve: true, replicas: 0 });
    const turn = (value: boolean, ...args: string[]) => {
      const patch = JSON.stringify({ spec: { preserveResourcesOnDeletion: value } });
      return kubectl("host", ["-n", shop.namespace, "patch", "pp", "web-pp", "--type=merge", "-p", patch, ...args]);
    };
    await says(
      () => turn(false, DRY),
      ["spec.preserveResourcesOnDeletion: off now; deleting a template deletes its copies (templates: 1, copies: 2)"],
    );
    await shop.host.patch(shop.web, { metadata: { annotations: { [CASCADE_DELETION_ANNOTATION]: "orphan" } } });
    await says(() => turn(false, DRY), []);
  });
});
