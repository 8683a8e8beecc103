// How is a plan kept in a directory that people edit and put into Git?
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { KubeObject } from "../../crds/object.js";
import { parseManifests } from "../files/manifests.js";
import { EXIT, Problem } from "../problem.js";
import { objectKey } from "../view/adoption.js";
import { REPORT_JSON } from "./layout.js";
import { plannedTitle, Report, type PlannedObject } from "./report.js";

/** Texts by their path below the directory. */
export type Files = ReadonlyMap<string, string>;

/** The report of an earlier plan; `undefined` when there is none. @throws Problem for one that cannot be read */
export function readReport(dir: string): Report | undefined {
  const text = contentOf(join(dir, REPORT_JSON));
  if (text === undefined) return undefined;
  const hint = "plan again into an empty directory";
  try {
    return Report.parse(JSON.parse(text));
  } catch (error) {
    throw new Problem(`${join(dir, REPORT_JSON)}: this is no report of a plan`, hint, EXIT.usage, { cause: error });
  }
}

/** The report of a plan that must be there. @throws Problem */
export function demandReport(dir: string): Report {
  const report = readReport(dir);
  if (report) return report;
  const hint = "make a plan first: holdfast migrate plan --from MEMBER -n NAMESPACE -o DIR";
  throw new Problem(`${dir}: there is no plan`, hint, EXIT.usage);
}

/** Files of a plan that are not as the plan has written them, sorted; `undefined` as content: deleted. */
export function editedFiles(dir: string, { files }: Report): readonly string[] {
  return Object.entries(files).flatMap(([path, hash]) => {
    const text = contentOf(join(dir, path));
    return text !== undefined && hashOf(text) === hash ? [] : [path];
  });
}

/**
 * Writes a plan over an earlier one. What people have edited, or put where a file of the plan belongs, is never lost in
 * silence. The report comes last: a plan that was interrupted is still the old one. @throws Problem
 */
export function writePlan(
  dir: string,
  files: Files,
  report: Report,
  { overwrite }: { readonly overwrite: boolean },
): void {
  refuseFile(dir);
  const earlier = readReport(dir);
  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hashOf(text)]));
  const lost = lostEdits(dir, files, earlier);
  if (lost.length > 0 && !overwrite) {
    const more = lost.length > 5 ? ` and ${lost.length - 5} more` : "";
    const hint = "plan into another directory and compare, or give --overwrite to lose these edits";
    throw new Problem(`${dir}: edited since the last plan: ${lost.slice(0, 5).join(", ")}${more}`, hint, EXIT.usage);
  }
  for (const [path, text] of files) write(join(dir, path), text);
  for (const path of Object.keys(earlier?.files ?? {})) if (!files.has(path)) remove(dir, path);
  const text = `${JSON.stringify({ ...report, files: hashes }, null, 2)}\n`;
  write(join(dir, REPORT_JSON), text);
}

function refuseFile(dir: string): void {
  if (!existsSync(dir) || statSync(dir).isDirectory()) return;
  throw new Problem(`${dir}: this is a file, and a plan is a directory`, "name another with -o", EXIT.usage);
}

/** What would be overwritten, or removed, and is not as the earlier plan left it. A file that people deleted may come back. */
function lostEdits(dir: string, files: Files, earlier: Report | undefined): readonly string[] {
  const known = earlier?.files ?? {};
  const paths = new Set([...files.keys(), ...Object.keys(known)]);
  return [...paths].sort().filter(path => {
    const text = contentOf(join(dir, path));
    if (text === undefined || text === files.get(path)) return false;
    return known[path] !== hashOf(text);
  });
}

/** The objects of a plan's files, in the order of `paths`. @throws Problem */
export function readObjects(dir: string, paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap(path => {
    const text = contentOf(join(dir, path));
    if (text === undefined) {
      const hint = "restore it, or plan again: an object is left out by --kinds or -l";
      throw new Problem(`${join(dir, path)}: the file is not there`, hint, EXIT.usage);
    }
    return parseManifests(text, join(dir, path));
  });
}

/**
 * The templates of a plan, in the order of its objects that have a file. Each is held to its object: what else a file holds
 * would be moved by no plan, and what it lacks would be left. @throws Problem
 */
export function readTemplates(dir: string, objects: readonly PlannedObject[]): readonly KubeObject[] {
  return objects.flatMap(object => (object.file === undefined ? [] : [templateIn(dir, object.file, object)]));
}

function templateIn(dir: string, file: string, planned: PlannedObject): KubeObject {
  const [template, ...more] = readObjects(dir, [file]);
  const { apiVersion, kind, namespace, name } = planned;
  const wanted = objectKey({ apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } });
  if (template && more.length === 0 && objectKey(template) === wanted) return template;
  const hint = "put that back, or plan again; what else is to be moved has to be in a plan of its own";
  throw new Problem(`${join(dir, file)}: it must hold ${plannedTitle(planned)}, and nothing else`, hint, EXIT.usage);
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whole or not at all; only its owner may read what may be a Secret. */
function write(path: string, text: string): void {
  if (contentOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const half = `${path}.tmp`;
  writeFileSync(half, text, { mode: /secret-/.test(path) ? 0o600 : 0o644 });
  renameSync(half, path);
}

function remove(dir: string, path: string): void {
  rmSync(join(dir, path), { force: true });
  const folder = dirname(join(dir, path));
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
