// Which templates do the words and the selector of a command mean?
import { claimOf } from "../../lib/domain/claims.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { listProblem } from "../access/list-problem.js";
import { EXIT, Problem } from "../problem.js";
import { resolveTargets, type Target } from "../target/targets.js";
import type { TemplateName } from "./request.js";
import { readStandings, type Standing } from "./standing.js";

/** How templates are chosen. */
export interface Choice {
  readonly words: readonly string[];
  readonly namespace: string | undefined;
  /** Then the words name kinds alone. */
  readonly selector: string | undefined;
}

/** The templates that are meant; named ones need not be there. @throws Problem, KubeError */
export async function chosenTemplates(fleet: Fleet, choice: Choice): Promise<readonly TemplateName[]> {
  const { words, namespace, selector } = choice;
  const targets = resolveTargets(fleet.discovery.served.resources, words);
  const isNamed = targets.every(({ names }) => names.length > 0);
  if (selector === undefined && !isNamed) {
    throw new Problem("no object is named", "write KIND/NAME, or select by labels: KIND -l app=web", EXIT.usage);
  }
  if (selector !== undefined && targets.some(({ names }) => names.length > 0)) {
    throw new Problem("names and --selector are given", "name the objects, or select them by labels", EXIT.usage);
  }
  if (selector === undefined) return targets.flatMap(target => named(target, namespace));
  const found = (await Promise.all(targets.map(target => selected(fleet, target, choice)))).flat();
  if (found.length > 0) return found;
  throw new Problem(`no template with ${selector} is in ${namespace}`, "holdfast get KIND -l … shows what is there");
}

/** As `chosenTemplates`, with all that the host has about each. @throws Problem, KubeError */
export async function chosenStandings(fleet: Fleet, choice: Choice): Promise<readonly Standing[]> {
  const clusters = fleet.all.map(({ metadata }) => metadata.name);
  return readStandings(fleet.host.client, await chosenTemplates(fleet, choice), clusters);
}

function named({ resource, names }: Target, namespace: string | undefined): readonly TemplateName[] {
  return names.map(name => ({ resource, name, ...(resource.namespaced && namespace ? { namespace } : {}) }));
}

/** Only what a policy has claimed: a selector finds Pods and ReplicaSets as well. */
async function selected(
  { host }: Fleet,
  { resource }: Target,
  { namespace, selector }: Choice,
): Promise<readonly TemplateName[]> {
  const place = resource.namespaced ? namespace : undefined;
  const objects = new ResourceClient(host.client, resource);
  const { items } = await objects.list({ labelSelector: selector }, place).catch((error: unknown) => {
    throw listProblem(error, resource, host.connection.server);
  });
  const claimed = items.filter(item => claimOf(item)).map(({ metadata }) => metadata.name);
  return named({ resource, names: claimed }, namespace);
}
