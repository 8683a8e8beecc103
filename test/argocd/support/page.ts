// What does the page for Argo CD tell people to set up?
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { objectsIn } from "../../integration/support/site.js";

const PAGE = join(import.meta.dirname, "../../../docs/gitops/argocd.md");

/** The data of the one ConfigMap `argocd-cm` that the page shows. @throws Error when it shows none, or several. */
export function argoCdSettings(page: string = readFileSync(PAGE, "utf8")): Readonly<Record<string, string>> {
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => objectsIn(block));
  const [found, ...others] = blocks.filter(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "argocd-cm",
  );
  if (!found || others.length > 0) throw new Error(`${PAGE}: shows ${others.length + (found ? 1 : 0)} argocd-cm`);
  return found["data"] as Readonly<Record<string, string>>;
}
