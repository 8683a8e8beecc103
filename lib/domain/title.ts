// How is an object named to a person?
import type { ObjectMeta } from "../../crds/object.js";

/** As much of an object as names it. */
export interface Titled {
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, "namespace" | "name">;
}

/** `Deployment shop/web`; of what has no namespace, `Node one`. */
export function titleOf({ kind, metadata: { namespace, name } }: Titled): string {
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}
