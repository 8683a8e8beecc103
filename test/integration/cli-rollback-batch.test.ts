// Do many objects go back with few requests, and each of them proven?
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { withFleet } from "../../cli/access/fleet.js";
import { rollBack } from "../../cli/rollback/roll-back.js";
import type { Remembered } from "../../cli/rollback/request.js";
import type { Progress } from "../../cli/output/progress.js";
import { configMapYaml, openCliShop } from "./support/cli.js";
import { namespaceInMember2, policyFor } from "./support/cli-rollback.js";
import { accessTo } from "./support/engine.js";
import { eventually } from "./support/eventually.js";

const COUNT = 200;
const silent: Progress = { start() {}, wait() {}, done() {}, fail() {}, count() {} };

it("brings many objects back at once", { timeout: 240_000 }, async () => {
  const shop = await openCliShop();
  const { namespace, host, member1, first, second, deps } = shop;
  const member2 = await namespaceInMember2(shop);
  const names = Array.from({ length: COUNT }, (_, i) => `settings-${i}`);
  const yaml = (data: string) => names.map(name => configMapYaml(shop, name, data)).join("\n---\n");
  for (const site of [member1, member2]) await site.apply(yaml("{a: before}"));
  await host.apply(policyFor(shop, "all", "ConfigMap", [first.name, second.name]));
  await host.apply(yaml("{a: ours}"));
  await eventually(
    "all are applied",
    async () => (await deps.host.works.client.list()).items.filter(isApplied).length >= 2 * COUNT,
    120_000,
  );
  const remembered: Remembered[] = [];
  const requests: { method: string; path: string }[] = [];

  const started = performance.now();
  const proofs = await withFleet({ kubeconfig: accessTo("host").kubeconfig }, async fleet => {
    const resource = fleet.discovery.find("v1", "ConfigMap");
    if (!resource) throw new Error("the host serves no ConfigMaps");
    const { client } = fleet.host;
    const send = client.send.bind(client);
    client.send = (method, path, options) => {
      requests.push({ method, path });
      return send(method, path, options);
    };
    const remember = (before: readonly Remembered[]) => {
      remembered.push(...before);
      return Promise.resolve();
    };
    const templates = names.map(name => ({ resource, namespace, name }));
    return rollBack(fleet, templates, { restore: true, stillMs: 60_000, remember }, silent);
  });
  const seconds = (performance.now() - started) / 1000;

  console.info(`${COUNT} objects in two members in ${seconds.toFixed(1)} s, ${requests.length} requests to the host`);
  expect(proofs.filter(({ proven }) => !proven)).toEqual([]);
  expect(proofs.map(({ outcome }) => outcome)).toEqual(names.flatMap(() => ["Restored", "Restored"]));
  expect(remembered).toHaveLength(2 * COUNT);
  // One patch and one deletion for each, and lists for all the rest; the last few alone are asked for by name.
  const isRead = ({ method }: { method: string }) => method === "GET";
  expect(requests.filter(one => !isRead(one))).toHaveLength(2 * COUNT);
  const named = requests.filter(one => isRead(one) && one.path.includes("/settings-"));
  expect(named.length).toBeLessThan(COUNT / 4);
  const data = (await member1.list("ConfigMap", namespace)).filter(({ metadata }) => names.includes(metadata.name));
  expect(new Set(data.map(object => JSON.stringify(object["data"])))).toEqual(new Set(['{"a":"before"}']));

  function isApplied(work: { readonly metadata: { readonly name: string }; readonly status?: unknown }): boolean {
    return work.metadata.name.startsWith("settings-") && JSON.stringify(work.status ?? {}).includes('"Adopted"');
  }
});
