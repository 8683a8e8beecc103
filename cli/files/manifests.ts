// Which objects are in the files that a person names?
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { EXIT, Problem } from "../problem.js";

const ENDINGS = new Set([".yaml", ".yml", ".json"]);
const STDIN = "-";

/** Objects of files, of the manifests in a directory, or of stdin (`-`), in order; Lists are opened. @throws Problem */
export function readManifests(paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap(path => filesOf(path).flatMap(file => parseManifests(read(file), nameOf(file))));
}

/** The objects in a text of YAML or JSON documents; `where` names it in messages. @throws Problem */
export function parseManifests(text: string, where: string): readonly KubeObject[] {
  // As kubectl reads it: `yes` is a boolean.
  return [...parseAllDocuments(text, { version: "1.1", merge: true })].flatMap(document => {
    const [error] = document.errors;
    if (error) {
      const [first = ""] = error.message.split("\n");
      throw new Problem(`${where}: ${first.replace(/:$/, "")}`, "correct the YAML", EXIT.usage, { cause: error });
    }
    return objectsIn(document.toJS() as unknown, where);
  });
}

function objectsIn(value: unknown, where: string): readonly KubeObject[] {
  if (value === null || value === undefined) return [];
  if (isRecord(value) && Array.isArray(value["items"]) && String(value["kind"]).endsWith("List")) {
    return (value["items"] as readonly unknown[]).flatMap(item => objectsIn(item, where));
  }
  if (isObject(value)) return [value];
  const hint = "every document needs apiVersion, kind and metadata.name";
  throw new Problem(`${where}: a document is no Kubernetes object`, hint, EXIT.usage);
}

function isObject(value: unknown): value is KubeObject {
  if (!isRecord(value) || !isRecord(value["metadata"])) return false;
  return [value["apiVersion"], value["kind"], value["metadata"]["name"]].every(
    field => typeof field === "string" && field !== "",
  );
}

function filesOf(path: string): readonly string[] {
  if (path === STDIN || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const files = readdirSync(path).filter(name => ENDINGS.has(extname(name)));
  if (files.length === 0) {
    throw new Problem(`${path}: no .yaml, .yml or .json file in it`, "name files one by one", EXIT.usage);
  }
  return files.sort().map(name => join(path, name));
}

function nameOf(file: string): string {
  return file === STDIN ? "stdin" : file;
}

function read(file: string): string {
  try {
    return readFileSync(file === STDIN ? 0 : file, "utf8");
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Problem(`${nameOf(file)}: ${words}`, "give the path of a manifest", EXIT.usage, { cause: error });
  }
}
