// Which CRDs go with the chart? Copies of crds/*.yaml, which helm can read: charts/holdfast/files/crds.
import { KINDS } from "../../crds/kinds.js";
import { crdFile } from "../crd-schema/crd.js";
import type { GeneratedFile } from "../generated-files.js";

/** The same text below the chart: helm packs only what is there. */
export function chartCrds(): GeneratedFile[] {
  return KINDS.map(crdFile).map(({ path, content }) => ({ path: `charts/holdfast/files/${path}`, content }));
}
