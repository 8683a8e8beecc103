// What are plans' policies and promotions' policies called?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { fnv1a32, safeEncode } from "../../lib/domain/names.js";

/** The name that server-side apply records for what a migration writes on the host. */
export const MIGRATION_MANAGER = "holdfast-migrate";

/**
 * On all that a migration writes on the host. It never travels to a member, and people have no reason to edit it: so the
 * migration owns a field for as long as the object is there, also of one that is all name, or whose fields others have set.
 */
export const MADE_BY_ANNOTATION = "holdfast.dev/made-by";

/** Kubernetes' limit for names of this sort. */
const MAX_NAME = 253;

/** What a plan is about: two plans of different scope never share a policy. */
export interface Scope {
  readonly cluster: string;
  /** One namespace; absent: all. */
  readonly namespace?: string;
  readonly kinds?: readonly string[];
  readonly selector?: string;
}

/** The name of a plan's policies; the same for the same scope. */
export function planPolicyName({ cluster, kinds, selector }: Scope): string {
  const plain = `migrate-${cluster}`;
  if (!kinds && selector === undefined) return plain;
  return `${plain}-${hash(JSON.stringify([kinds ?? [], selector ?? ""]))}`;
}

/** The name of the policy that karmadactl's promote would make (spec/karmada 2.1). */
export function promotedPolicyName(template: KubeObject): string {
  const { group, version, kind } = gvkOf(template);
  const { namespace = "", name } = template.metadata;
  const suffix = hash(`${namespace}${group}/${version}, Kind=${kind}`);
  const head = name
    .replaceAll(":", ".")
    .toLowerCase()
    .slice(0, MAX_NAME - suffix.length - 1);
  return `${head.replace(/[-.]+$/, "")}-${suffix}`;
}

function hash(text: string): string {
  return safeEncode(String(fnv1a32(text)));
}
