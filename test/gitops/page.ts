// What does a page tell people to apply?
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "../../crds/object.js";
import { objectsIn } from "../integration/support/site.js";

/** The objects in the YAML blocks of `docs/gitops/NAME.md`, in the order of the page. */
export function objectsOnPage(name: string): KubeObject[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/gitops", `${name}.md`), "utf8");
  return [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => objectsIn(block));
}
