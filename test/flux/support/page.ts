// What does the page for Flux tell people to write into their Kustomizations?
import { objectsOnPage } from "../../gitops/page.js";

/** The `healthCheckExprs` of the one Kustomization on the page that has some. @throws Error when there are none, or several. */
export function healthCheckExprs(): readonly object[] {
  const lists = objectsOnPage("flux").flatMap(({ kind, spec }) => {
    const exprs = (spec as { readonly healthCheckExprs?: readonly object[] } | undefined)?.healthCheckExprs;
    return kind === "Kustomization" && exprs ? [exprs] : [];
  });
  const [exprs] = lists;
  if (!exprs || lists.length > 1) throw new Error(`the page for Flux shows ${lists.length} lists of healthCheckExprs`);
  return exprs;
}
