// What do the Grafana dashboards show? charts/holdfast/files/dashboards.
import type { GeneratedFile } from "../generated-files.js";

/** One curve or several; `expr` names only metrics that lib/engine/metrics.ts exports (a test looks). */
interface Curve {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly description: string;
  /** Grafana's name of a unit: `s`, `ops`, `short`. */
  readonly unit: string;
  readonly curves: readonly Curve[];
}

/** A dashboard before it is laid out. */
export interface Dashboard {
  readonly name: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const RATE = "[$__rate_interval]";
const quantile = (q: number, metric: string, by = ""): string =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket${RATE})))`;
const both = (metric: string): Curve[] => [
  { expr: quantile(0.5, metric), legend: "half" },
  { expr: quantile(0.99, metric), legend: "99 %" },
];

const PROPAGATION: Dashboard = {
  name: "propagation",
  title: "Holdfast / Propagation",
  panels: [
    panel("Leader", "1 in the watcher that leads; 0 everywhere: nothing moves.", "short", [
      { expr: "holdfast_leading", legend: "{{pod}}" },
    ]),
    panel("Waiting keys", "What the watcher has still to do, by queue.", "short", [
      { expr: "sum by (name) (workqueue_depth)", legend: "{{name}}" },
    ]),
    panel("Reconciles", "By controller and outcome.", "ops", [
      {
        expr: `sum by (controller, result) (rate(controller_runtime_reconcile_total${RATE}))`,
        legend: "{{controller}} {{result}}",
      },
    ]),
    panel("Time of a reconcile", "99 % are faster.", "s", [
      { expr: quantile(0.99, "controller_runtime_reconcile_time_seconds", "controller"), legend: "{{controller}}" },
    ]),
    panel("Finding the policy", "Of a template.", "s", both("resource_match_policy_duration_seconds")),
    panel("Policies applied", "To templates, by outcome.", "ops", [
      { expr: `sum by (result) (rate(policy_apply_attempts_total${RATE}))`, legend: "{{result}}" },
    ]),
    panel(
      "Binding to Works",
      "Time to bring the Works of a binding in step.",
      "s",
      both("binding_sync_work_duration_seconds"),
    ),
    panel("Work to member", "Time to bring an object in step.", "s", both("work_sync_workload_duration_seconds")),
    panel("Requests to the host", "By method and answer.", "ops", [
      {
        expr: `sum by (method, code) (rate(holdfast_api_request_duration_seconds_count{cluster=""}${RATE}))`,
        legend: "{{method}} {{code}}",
      },
    ]),
    panel("Webhook certificate", "Until it ends.", "s", [{ expr: "min(webhook_cert_expiry_seconds)", legend: "left" }]),
  ],
};

const MEMBERS: Dashboard = {
  name: "members",
  title: "Holdfast / Members",
  panels: [
    panel("Ready", "1 when a member is ready.", "short", [
      { expr: "cluster_ready_state", legend: "{{member_cluster}}" },
    ]),
    panel("Oldest deletion that waits", "By member.", "s", [
      { expr: "finalizer_pending_seconds", legend: "{{member_cluster}}" },
    ]),
    panel("Objects created", "In members, by outcome.", "ops", [
      {
        expr: `sum by (member_cluster, result) (rate(create_resource_to_cluster${RATE}))`,
        legend: "{{member_cluster}} {{result}}",
      },
    ]),
    panel("Objects kept", "Released and left to the member.", "short", [
      { expr: "sum by (member_cluster) (increase(preserved_resources_total[1h]))", legend: "{{member_cluster}}" },
    ]),
    panel("Letting go", "From the deletion of a Work until its finalizer went; 99 % are faster.", "s", [
      { expr: quantile(0.99, "finalizer_wait_seconds", "member_cluster"), legend: "{{member_cluster}}" },
    ]),
    panel("Requests", "By member.", "ops", [
      {
        expr: `sum by (cluster) (rate(holdfast_api_request_duration_seconds_count{cluster!=""}${RATE}))`,
        legend: "{{cluster}}",
      },
    ]),
    panel("Time of an answer", "99 % are faster, by member.", "s", [
      { expr: quantile(0.99, "holdfast_api_request_duration_seconds", "cluster"), legend: "{{cluster}}" },
    ]),
    panel("Refusals and silence", "Answers that are no success; code 0: none came.", "ops", [
      {
        expr: `sum by (cluster, code) (rate(holdfast_api_request_duration_seconds_count{cluster!="",code!~"2.."}${RATE}))`,
        legend: "{{cluster}} {{code}}",
      },
    ]),
  ],
};

/** Both dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [PROPAGATION, MEMBERS];

function panel(title: string, description: string, unit: string, curves: readonly Curve[]): Panel {
  return { title, description, unit, curves };
}

const WIDTH = 12;
const HEIGHT = 8;

/** Grafana's own form, two panels in a row. */
export function dashboardFiles(): GeneratedFile[] {
  return DASHBOARDS.map(({ name, title, panels }) => {
    const source = { name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" };
    const dashboard = {
      ...{ uid: `holdfast-${name}`, title, tags: ["holdfast"], schemaVersion: 39, editable: true, refresh: "30s" },
      time: { from: "now-3h", to: "now" },
      templating: { list: [source] },
      panels: panels.map(laidOut),
    };
    return {
      path: `charts/holdfast/files/dashboards/${name}.json`,
      content: `${JSON.stringify(dashboard, undefined, 1)}\n`,
    };
  });
}

function laidOut({ title, description, unit, curves }: Panel, index: number): object {
  const datasource = { type: "prometheus", uid: "${datasource}" };
  return {
    ...{ id: index + 1, type: "timeseries", title, description, datasource },
    gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } },
    targets: curves.map(({ expr, legend }, place) => ({
      ...{ refId: String.fromCharCode(65 + place), datasource, expr, legendFormat: legend },
    })),
  };
}
