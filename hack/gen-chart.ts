// Writes what in charts/holdfast follows from code: CRDs, values, their schema and table; `--check` fails when one is out of date.
import { chartCrds } from "./chart-files/crds.js";
import { valuesFiles } from "./chart-files/values-files.js";
import { isMain, runGenerator, type GeneratedFile } from "./generated-files.js";

/** Every generated file of the chart that helm alone reads. */
export function helmFiles(): GeneratedFile[] {
  return [...chartCrds(), ...valuesFiles()];
}

if (isMain(import.meta.url)) runGenerator("gen-chart", helmFiles(), process.argv.slice(2));
