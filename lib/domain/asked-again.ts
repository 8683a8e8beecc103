// Has somebody asked for another look at once?
import type { KubeObject } from "../../crds/object.js";
import { RECONCILE_ANNOTATION } from "./marks.js";

/** True for a change by which the annotation got another value. What was there when we started is no request. */
export function isAskedAgain(change: { readonly before?: KubeObject; readonly after?: KubeObject }): boolean {
  const { before, after } = change;
  const asked = after?.metadata.annotations?.[RECONCILE_ANNOTATION];
  return before !== undefined && asked !== undefined && asked !== before.metadata.annotations?.[RECONCILE_ANNOTATION];
}
