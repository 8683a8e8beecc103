// What would be in the repository of someone who starts from our example?
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const EXAMPLE = join(import.meta.dirname, "../../../examples/flux");

/**
 * The example's files as that person would commit them, by path; `root.yaml` is the one that is applied by hand.
 * @param name takes the place of `fleet`, the Kustomizations' and their source's, and of `shop`, the namespace
 */
export async function exampleFiles(name: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await readdir(EXAMPLE, { recursive: true })).filter(path => path.endsWith(".yaml"));
  const files = paths.map(async path => [path, own(await readFile(join(EXAMPLE, path), "utf8"))] as const);
  return Object.fromEntries(await Promise.all(files));

  function own(text: string): string {
    return text
      .replace(/\bname: fleet/g, `name: ${name}`)
      .replace(/^( *namespace: )shop$/gm, `$1${name}`)
      .replace(/^(kind: Namespace\nmetadata:\n {2}name: )shop$/gm, `$1${name}`);
  }
}
