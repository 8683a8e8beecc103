// Which objects do the arguments of a command name?
import type { ServedResource } from "../../lib/kube/discovery.js";
import type { ObjectName } from "../../lib/kube/resource.js";
import { EXIT, Problem } from "../problem.js";
import { kindsOfCategory, resolveKind } from "./kinds.js";

/** Objects of one kind, as a person names them; no names: all of them. */
export interface Target {
  readonly resource: ServedResource;
  readonly names: readonly string[];
}

/** One object. */
export interface ObjectTarget {
  readonly resource: ServedResource;
  readonly name: string;
}

/**
 * What `deploy`, `deploy web api`, `deploy,svc web`, `deploy/web svc/web` or `all` mean; one entry per kind, in order.
 * @throws Problem
 */
export function resolveTargets(served: readonly ServedResource[], words: readonly string[]): readonly Target[] {
  return words.some(word => word.includes("/")) ? pairs(served, words) : kindAndNames(served, words);
}

/** The one object that `deploy/web` or `deploy web` means. @throws Problem when it is none, or several */
export function resolveObject(served: readonly ServedResource[], words: readonly string[]): ObjectTarget {
  const [target, ...others] = resolveTargets(served, words);
  const [name, ...more] = target?.names ?? [];
  if (!target || name === undefined || others.length + more.length > 0) {
    throw new Problem(`"${words.join(" ")}" does not name one object`, FORM, EXIT.usage);
  }
  return { resource: target.resource, name };
}

/** Where the object is: cluster-scoped kinds have no namespace. */
export function placeOf({ resource, name }: ObjectTarget, namespace: string | undefined): ObjectName {
  return resource.namespaced && namespace ? { namespace, name } : { name };
}

const FORM = "write KIND/NAME, such as deploy/web, or KIND NAME";

function pairs(served: readonly ServedResource[], words: readonly string[]): readonly Target[] {
  const targets = new Map<ServedResource, string[]>();
  for (const word of words) {
    const [kind = "", name = "", ...rest] = word.split("/");
    if (kind === "" || name === "" || rest.length > 0) {
      throw new Problem(`"${word}" is not KIND/NAME`, FORM, EXIT.usage);
    }
    const resource = resolveKind(served, kind);
    targets.set(resource, [...(targets.get(resource) ?? []), name]);
  }
  return [...targets].map(([resource, names]) => ({ resource, names: [...new Set(names)] }));
}

function kindAndNames(served: readonly ServedResource[], [first = "", ...names]: readonly string[]): Target[] {
  const kinds = first.split(",").filter(kind => kind !== "");
  if (kinds.length === 0) throw new Problem("no kind is named", FORM, EXIT.usage);
  const resources = kinds.flatMap(kind => {
    const category = kindsOfCategory(served, kind.toLowerCase());
    return category.length > 0 ? category : [resolveKind(served, kind)];
  });
  return [...new Set(resources)].map(resource => ({ resource, names: [...new Set(names)] }));
}
