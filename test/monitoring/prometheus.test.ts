// Do alerts and dashboards work in a real Prometheus that scrapes a real operator while it works?
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { ALERTS } from "../../hack/chart-files/alerts.js";
import { DASHBOARDS } from "../../hack/chart-files/dashboards.js";
import { readEnv, start, stop } from "../../hack/clusters/index.js";
import { runStep } from "../../hack/clusters/step.js";
import { ensurePrometheus } from "../../hack/prometheus/programs.js";
import { runPrometheus, type RunningPrometheus } from "../../hack/prometheus/server.js";
import { eventually } from "../integration/support/eventually.js";
import { Site } from "../integration/support/site.js";

const RULES = join(import.meta.dirname, "../../charts/holdfast/files/alerts.yaml");
const NAMESPACE = "monitored";
const KINDS = ["ConfigMap", "PropagationPolicy"];

/** What is empty while all is well: nothing waits, nothing is refused. */
const EMPTY_WHEN_WELL = new Set(["Oldest deletion that waits"]);

const panels = DASHBOARDS.flatMap(({ title, panels: all }) =>
  all.flatMap(panel => panel.curves.map(({ expr }) => ({ title, panel: panel.title, expr: inGrafana(expr) }))),
);

/** Grafana fills in at least four scrapes. */
function inGrafana(expr: string): string {
  return expr.replaceAll("$__rate_interval", "30s");
}

const dir = mkdtempSync(join(tmpdir(), "holdfast-prometheus-"));
let prometheus: RunningPrometheus;
let host: Site;

const manifests = (name: string, preserve: boolean): string => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: ${name}, namespace: ${NAMESPACE}}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: ${name}}]
  placement: {clusterAffinity: {clusterNames: [member1, member2]}}
  preserveResourcesOnDeletion: ${preserve}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: ${NAMESPACE}}
data: {a: "1"}
`;

async function worksOf(name: string): Promise<number> {
  const works = await host.list("Work");
  return works.filter(({ metadata }) => metadata.name.startsWith(`${name}-`)).length;
}

/** Comes, is there, goes: kept or deleted; and a write that the member refuses. */
async function story(name: string, preserve: boolean): Promise<void> {
  await host.apply(manifests(name, preserve));
  await eventually(`${name} is in both members`, async () => (await worksOf(name)) === 2);
  await new Promise(resolve => setTimeout(resolve, 2_000));
  await host.delete({ kind: "ConfigMap", namespace: NAMESPACE, name });
  await eventually(`${name} is gone`, async () => (await worksOf(name)) === 0);
}

beforeAll(async () => {
  const env = readEnv(inject("clusters"));
  host = Site.of(env, "host");
  // The file of a PrometheusRule is what Prometheus itself reads.
  const rules = join(dir, "rules.yml");
  writeFileSync(rules, readFileSync(RULES));
  prometheus = await runPrometheus({ dir, targets: env.metrics, rules });
  await eventually("both are scraped", async () => (await prometheus.query("up == 1")).length === 2, 30_000);
  await host.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${NAMESPACE}}}`);
  for (const n of [1, 2, 3]) await story(`web${n}`, n % 2 === 0);
  // A scrape after the last step of the story.
  await new Promise(resolve => setTimeout(resolve, 2_500));
});

afterAll(async () => {
  await prometheus?.stop();
  for (const kind of KINDS) {
    for (const { metadata } of await host.list(kind, NAMESPACE)) {
      if (metadata.name !== "kube-root-ca.crt") await host.delete({ kind, namespace: NAMESPACE, name: metadata.name });
    }
  }
  await host.delete({ kind: "Namespace", name: NAMESPACE });
  await host.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("promtool", () => {
  it("takes the rules", async () => {
    const { promtool } = await ensurePrometheus();
    const said = await runStep({ label: "promtool check rules", argv: [promtool, "check", "rules", RULES] });
    expect(said).toContain(`SUCCESS: ${ALERTS.length} rules found`);
  });

  it.each(["watcher", "admission"])(
    "finds no fault with the metrics of %s but names that are Karmada's and Node's",
    async name => {
      const { promtool } = await ensurePrometheus();
      const port = readEnv(inject("clusters")).metrics[name];
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const said = await runStep({ label: "promtool", argv: [promtool, "check", "metrics"], input: text }).catch(
        String,
      );
      const faults = said
        .split("\n")
        .filter(line => /^\w+ \w/.test(line) && !/^(nodejs_|process_|create_resource_to_cluster )/.test(line));
      expect(faults.filter(line => !line.startsWith("Error:"))).toEqual([]);
    },
  );
});

describe("dashboards", () => {
  it.each(panels)("$title: $panel has data", async ({ panel, expr }) => {
    const samples = await prometheus.query(expr);
    if (!EMPTY_WHEN_WELL.has(panel)) expect(samples.length, expr).toBeGreaterThan(0);
    if (panel !== "Refusals and silence") {
      const numbers = samples.filter(({ value }) => Number.isFinite(Number(value[1])));
      expect(numbers.length > 0 || samples.length === 0, `${expr}: ${JSON.stringify(samples).slice(0, 500)}`).toBe(
        true,
      );
    }
  });
});

describe("alerts", () => {
  it.each(ALERTS)("$name is quiet while all is well", async ({ expr }) => {
    expect(await prometheus.query(expr)).toEqual([]);
  });

  it("are the ones of the chart", () => {
    const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: { expr: string }[] }[] };
    expect(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))).toEqual(ALERTS.map(({ expr }) => expr));
  });

  it("tell of a member that is lost, and of watchers of which none leads", async () => {
    const directory = inject("clusters");
    const pending = (name: string) => async (): Promise<boolean> =>
      (await prometheus.query(`ALERTS{alertname="${name}"}`)).length > 0;

    await stop(directory, "member2-apiserver");
    await eventually("the lost member is told", pending("HoldfastMemberUnreachable"), 60_000);
    const [alert] = await prometheus.query('ALERTS{alertname="HoldfastMemberUnreachable"}');
    expect(alert?.metric["member_cluster"]).toBe("member2");
    await start(directory, "member2-apiserver");

    await stop(directory, "watcher");
    await eventually("that none leads is told", pending("HoldfastNoLeader"), 30_000);
    await start(directory, "watcher");
    await eventually("it is quiet again", async () => !(await pending("HoldfastNoLeader")()), 60_000);
  });
});
