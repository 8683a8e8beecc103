// What would be in the repository of someone who starts from our example?
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Files, Repository } from "../../gitops/repository.js";

const EXAMPLE = join(import.meta.dirname, "../../../examples/argocd");
const ADDRESS = "https://git.example.com/team/fleet.git";

/** Which shop: a repository and a namespace of its own, so that two tests do not meet. */
export interface Example {
  readonly repository: Repository;
  /** Takes the place of `shop`, the namespace, and of `fleet`, the prefix of the Applications. */
  readonly name: string;
}

/** The example's files as that person would commit them, by path; `root.yaml` is the one that is applied by hand. */
export async function exampleFiles({ repository, name }: Example): Promise<Files> {
  const paths = (await readdir(EXAMPLE, { recursive: true })).filter(path => path.endsWith(".yaml"));
  const files = paths.map(async path => [path, own(await readFile(join(EXAMPLE, path), "utf8"))] as const);
  return Object.fromEntries(await Promise.all(files));

  function own(text: string): string {
    return text
      .replaceAll(ADDRESS, repository.url)
      .replace(/^( {2}name: )fleet/gm, `$1${name}`)
      .replace(/^( *namespace: )shop$/gm, `$1${name}`)
      .replace(/^(kind: Namespace\nmetadata:\n  name: )shop$/gm, `$1${name}`);
  }
}
