// What does a person get to read when a kind cannot be listed?
import type { ApiResource } from "../../lib/kube/resource.js";
import { KubeError, messageOf } from "../../lib/kube/errors.js";
import { unreachable } from "../identity.js";
import { EXIT, Problem } from "../problem.js";

const nameOf = ({ plural, group }: ApiResource): string => (group ? `${plural}.${group}` : plural);

/** The host's refusal in words: what was asked for, why not, what to do. */
export function listProblem(error: unknown, resource: ApiResource, server: string): Problem {
  return selectorProblem(error, resource) ?? unreachable(error, `${nameOf(resource)} on the host`, server);
}

/** The refusal of a selector that a person gave; `undefined` where it is another one. */
export function selectorProblem(error: unknown, resource: ApiResource): Problem | undefined {
  if (!(error instanceof KubeError) || error.status !== 400) return undefined;
  return new Problem(`${nameOf(resource)}: ${messageOf(error)}`, "correct the selector", EXIT.usage, { cause: error });
}
