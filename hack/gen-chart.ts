// Writes what helm alone reads of charts/holdfast: CRDs, values, monitoring, README; `--check` fails when one is out of date.
import { alertsFile } from "./chart-files/alerts.js";
import { chartPages } from "./chart-files/chart-page.js";
import { chartCrds } from "./chart-files/crds.js";
import { dashboardFiles } from "./chart-files/dashboards.js";
import { valuesFiles } from "./chart-files/values-files.js";
import { isMain, runGenerator, type GeneratedFile } from "./generated-files.js";

/** Every generated file of the chart that is not also applied without helm. */
export function helmFiles(): GeneratedFile[] {
  return [...chartCrds(), ...valuesFiles(), ...chartPages(), alertsFile(), ...dashboardFiles()];
}

if (isMain(import.meta.url)) runGenerator("gen-chart", helmFiles(), process.argv.slice(2));
