// What does the page for Argo CD tell people to set up?
import { objectsOnPage } from "../../gitops/page.js";

/** The data of the one ConfigMap `argocd-cm` that the page shows. @throws Error when it shows none, or several. */
export function argoCdSettings(): Readonly<Record<string, string>> {
  const isSettings = ({ kind, metadata }: { readonly kind: string; readonly metadata?: { readonly name?: string } }) =>
    kind === "ConfigMap" && metadata?.name === "argocd-cm";
  const found = objectsOnPage("argocd").filter(isSettings);
  const [settings] = found;
  if (!settings || found.length > 1) throw new Error(`the page for Argo CD shows ${found.length} argocd-cm`);
  return settings["data"] as Readonly<Record<string, string>>;
}
