// What does a person get to read when the host refuses to list a kind?
import type { ServedResource } from "../../lib/kube/discovery.js";
import { KubeError, messageOf } from "../../lib/kube/errors.js";
import { unreachable } from "../identity.js";
import { EXIT, Problem } from "../problem.js";

/** The host's refusal in words: what was asked for, why not, what to do. */
export function listProblem(error: unknown, { plural, group }: ServedResource, server: string): Problem {
  const kind = group ? `${plural}.${group}` : plural;
  if (error instanceof KubeError && error.status === 400) {
    return new Problem(`${kind}: ${messageOf(error)}`, "correct the selector", EXIT.usage, { cause: error });
  }
  return unreachable(error, `${kind} on the host`, server);
}
