// Do alerts and dashboards ask only for what the operator tells?
import { describe, expect, it } from "vitest";
import { metricsOf } from "../reference-pages/metrics.js";
import { ALERTS } from "./alerts.js";
import { DASHBOARDS } from "./dashboards.js";

const expressions = [
  ...ALERTS.map(({ name, expr }) => ({ where: name, expr })),
  ...DASHBOARDS.flatMap(({ title, panels }) =>
    panels.flatMap(panel => panel.curves.map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr }))),
  ),
];

/** Every name that a scrape can show, histograms with their endings, and the labels of each. */
async function exported(): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const { name, type, labels } of [...(await metricsOf("watcher")), ...(await metricsOf("admission"))]) {
    const endings = type === "histogram" ? ["_bucket", "_count", "_sum"] : [""];
    for (const ending of endings) known.set(name + ending, labels);
  }
  return known;
}

/** Names that Prometheus adds, and those of its language. */
const LANGUAGE = /^(by|le|sum|rate|increase|min|max|absent|histogram_quantile|pod|h|m|s|w|d|y)$/;

/** Words of an expression outside strings and ranges. */
function wordsOf(expr: string): string[] {
  const bare = expr.replace(/"[^"]*"/g, "").replace(/\[[^\]]*\]/g, "");
  return (bare.match(/[a-zA-Z_][a-zA-Z0-9_]*/g) ?? []).filter(word => !LANGUAGE.test(word));
}

describe("alerts and dashboards", () => {
  it.each(expressions)("ask in $where for a metric that is exported, by labels that it has", async ({ expr }) => {
    const known = await exported();
    const words = wordsOf(expr);
    const metrics = words.filter(word => known.has(word));
    const labels = metrics.flatMap(name => known.get(name) ?? []);
    expect(metrics).toHaveLength(1);
    expect(words.filter(word => !known.has(word) && !labels.includes(word))).toEqual([]);
  });

  it("find a name that nobody exports", async () => {
    const known = await exported();
    expect(wordsOf('sum by (x) (rate(no_such_total{y="z"}[5m]))').filter(word => known.has(word))).toEqual([]);
  });
});
