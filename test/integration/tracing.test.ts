// Does a template that goes into two members leave one trace, from the host into both?
import { describe, expect, it } from "vitest";
import type { Span } from "../../lib/engine/otlp.js";
import { traceReconciles } from "../../lib/engine/tracing.js";
import { configMapYaml, openCliShop, policyYaml, untilApplied } from "./support/cli.js";
import { eventually } from "./support/eventually.js";

describe("traces", () => {
  it("join the template, its binding and its Works", async () => {
    const shop = await openCliShop();
    const spans: Span[] = [];
    shop.deps.metrics.onReconciled = traceReconciles({ add: span => void spans.push(span) }, shop.deps.host);
    const clusters = [shop.first.name, shop.second.name];
    const wanted = ["propagation", "binding", ...clusters.map(name => `work-${name}`)];

    await shop.host.apply(`${policyYaml(shop, clusters)}---\n${configMapYaml(shop, "traced")}`);
    await untilApplied(shop, "traced", ...clusters);

    const controllersOf = (trace: string): Set<string | undefined> =>
      new Set(spans.filter(({ traceId }) => traceId === trace).map(one => one.attributes["holdfast.controller"]));
    const joined = (): boolean => spans.some(({ traceId }) => wanted.every(name => controllersOf(traceId).has(name)));
    await eventually("one trace has all of them", async () => joined(), 10_000);
    expect(spans.every(({ endMs, startMs }) => endMs >= startMs)).toBe(true);
  });
});
