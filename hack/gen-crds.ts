// Writes crds/*.yaml and docs/reference/*.md from the zod schemas; `--check` fails when one is out of date.
import { KINDS } from "../crds/kinds.js";
import { crdFile } from "./crd-schema/crd.js";
import { referenceIndex, referencePage } from "./crd-schema/reference.js";
import { isMain, runGenerator, type GeneratedFile } from "./generated-files.js";

/** Everything that comes from the schemas. */
export function generatedFiles(): GeneratedFile[] {
  return [...KINDS.map(crdFile), ...KINDS.map(referencePage), referenceIndex(KINDS)];
}

if (isMain(import.meta.url)) runGenerator("gen-crds", generatedFiles(), process.argv.slice(2));
