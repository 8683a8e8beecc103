// The command `tree`: one template, and all that follows from it.
import type { Command } from "commander";
import { ResourceClient } from "../../lib/kube/resource.js";
import { fleetOptions, withFleet, type Fleet, type FleetFlags } from "../access/fleet.js";
import { namespaceOf, namespaceOptions, type NamespaceFlags } from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { documentOf, formatOption, isData, nameOf } from "../output/format.js";
import { EXIT, Problem } from "../problem.js";
import type { Shell } from "../shell.js";
import { readWhyUnclaimed } from "../preview/policies.js";
import { placeOf, resolveObject } from "../target/targets.js";
import { readChain } from "../view/chain.js";
import { lookAt, treeOf } from "./build.js";
import { nodesOf, treeLines } from "./lines.js";
import type { TreeNode } from "./node.js";

interface TreeFlags extends FleetFlags, NamespaceFlags {
  readonly output?: "wide" | "json" | "yaml";
}

/** Adds `tree`. */
export function addTree(program: Command, shell: Shell): void {
  const command = program
    .command("tree <kind/name> [name]")
    .helpGroup("Basic:")
    .description("Show what follows from a template: policy, binding, Works, and the objects in the members.");
  namespaceOptions(fleetOptions(command))
    .addOption(formatOption("wide", "json", "yaml"))
    .addHelpText("after", examples("holdfast tree deploy/web -n shop", "holdfast tree deploy web -o yaml"))
    .action((first: string, name: string | undefined, flags: TreeFlags) =>
      tree(name === undefined ? [first] : [first, name], flags, shell),
    );
  suggest(command, { argument: "object" });
}

async function tree(words: readonly string[], flags: TreeFlags, shell: Shell): Promise<void> {
  const root = await withFleet(flags, fleet => readTree(fleet, words, flags));
  const { output: format = "table" } = flags;
  const { output, finish } = shell;
  if (isData(format)) output.print(documentOf(root, format));
  else for (const line of treeLines(root, format === "wide")) output.print(line);

  const nodes = nodesOf(root);
  // A wide table and data have the messages in them.
  const troubled = format === "table" ? nodes.filter(({ message }) => message !== undefined) : [];
  for (const { kind, name, cluster, message } of troubled) {
    output.warn(`${kind} ${name}${cluster ? ` (${cluster})` : ""}: ${message}`);
  }
  if (nodes.some(({ state }) => state === "Unreachable")) finish(EXIT.unproven);
}

/** The tree of the object that the words name. @throws Problem when the host does not have it */
async function readTree(fleet: Fleet, words: readonly string[], flags: TreeFlags): Promise<TreeNode> {
  const target = resolveObject(fleet.discovery.served.resources, words);
  const namespace = namespaceOf(flags, fleet.host);
  const template = await new ResourceClient(fleet.host.client, target.resource).find(placeOf(target, namespace));
  if (!template) {
    const where = target.resource.namespaced ? ` in namespace ${namespace}` : "";
    const hint = `is it in another namespace (-n)? holdfast get ${words.join(" ")} also looks into the members`;
    throw new Problem(`the host has no ${nameOf(target.resource, target.name)}${where}`, hint);
  }
  const clusters = fleet.clusters.map(({ metadata }) => metadata.name);
  const chain = await readChain(fleet.host.client, template, clusters);
  const visits = await lookAt(fleet, chain);
  // A Cluster that has gone may have left a Work; `-C` leaves it out, everything else shows it.
  const meant = flags.clusters ? clusters : [...new Set([...clusters, ...chain.works.map(({ cluster }) => cluster)])];
  const unclaimed = chain.claim ? undefined : (await readWhyUnclaimed(fleet.host.client))(template);
  return treeOf({ template, chain, clusters: meant, visits, ...(unclaimed && { unclaimed }) });
}
