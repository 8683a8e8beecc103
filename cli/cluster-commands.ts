// Which flags do join and unjoin take?
import { Option, type Command } from "commander";
import { hostOptions, openHost, type HostFlags } from "./access/host.js";
import { contextsOf, open } from "./clients.js";
import { suggest } from "./completion/sources.js";
import { parseDuration } from "./duration.js";
import { examples } from "./examples.js";
import { join } from "./join.js";
import { checkClusterName } from "./names.js";
import type { Output } from "./output/output.js";
import { unjoin } from "./unjoin.js";
import type { Format } from "./unjoin-report.js";

interface MemberFlags extends HostFlags {
  readonly clusterContext?: string;
  readonly clusterNamespace: string;
  readonly dryRun?: boolean;
}

interface JoinFlags extends MemberFlags {
  readonly clusterKubeconfig: string;
  readonly clusterProvider?: string;
  readonly clusterRegion?: string;
  readonly clusterZones?: string[];
}

interface UnjoinFlags extends MemberFlags {
  readonly clusterKubeconfig?: string;
  readonly force?: boolean;
  readonly wait: number;
  readonly output: Format;
}

const GROUP = "Clusters:";

/** Adds `join` and `unjoin` to the program. */
export function addClusterCommands(program: Command, output: Output): void {
  const joining = program.command("join <name>").helpGroup(GROUP).description("Join a cluster as a member.");
  memberOptions(joining)
    .requiredOption("--cluster-kubeconfig <file>", "kubeconfig of the member, with administrator rights")
    .option("--cluster-provider <name>", "who provides the member; placements can select by it")
    .option("--cluster-region <name>", "region of the member; placements can select by it")
    .option("--cluster-zones <names>", "zones of the member, with commas; placements can select by them", commaList)
    .addHelpText("after", examples("holdfast join member1 --cluster-kubeconfig member1.yaml"))
    .action((name: string, flags: JoinFlags) => joinCommand(name, flags, output));

  const leaving = program
    .command("unjoin <name>")
    .helpGroup(GROUP)
    .description("Remove a member; its workloads stay or go as their policies say.");
  memberOptions(leaving)
    .option("--cluster-kubeconfig <file>", "kubeconfig of the member, to remove there what join made")
    .option("--force", "after the wait, take the finalizers away; nothing is touched in the member")
    .option("--wait <duration>", "how long to wait for the removal", parseDuration, 60_000)
    .addOption(
      new Option("-o, --output <format>", "how to write what was kept, deleted and left behind")
        .choices(["table", "json"])
        .default("table"),
    )
    .addHelpText(
      "after",
      examples(
        "holdfast unjoin member1 --cluster-kubeconfig member1.yaml",
        "holdfast unjoin member1                      # a cluster that is lost",
      ),
    )
    .action((name: string, flags: UnjoinFlags) => unjoinCommand(name, flags, output));
  suggest(leaving, { argument: "cluster" });
}

function memberOptions(command: Command): Command {
  return hostOptions(command)
    .option("--cluster-context <name>", "context of the member in its kubeconfig")
    .option("--cluster-namespace <name>", "namespace for accounts and Secrets", "karmada-cluster")
    .option("--dry-run", "only say what would be done");
}

function commaList(text: string): string[] {
  return text
    .split(",")
    .map(part => part.trim())
    .filter(part => part !== "");
}

async function joinCommand(name: string, flags: JoinFlags, output: Output): Promise<void> {
  checkClusterName(name);
  const host = await openHost(flags);
  const member = await open({
    file: flags.clusterKubeconfig,
    context: flags.clusterContext,
    flag: "--cluster-kubeconfig",
  });
  const { clusterProvider: provider, clusterRegion: region, clusterZones: zones, dryRun } = flags;
  try {
    const request = { cluster: name, namespace: flags.clusterNamespace, provider, region, zones, dryRun };
    await join(request, { host: host.client, member, output });
  } finally {
    await Promise.all([host.client.close(), member.client.close()]);
  }
}

async function unjoinCommand(name: string, flags: UnjoinFlags, output: Output): Promise<void> {
  const host = await openHost(flags);
  const member = await openLeaving(name, flags);
  const { clusterNamespace: namespace, force, wait: waitMs, dryRun, output: format } = flags;
  try {
    const request = { cluster: name, namespace, force, waitMs, dryRun, format };
    await unjoin(request, { host: host.client, member: member?.client, output });
  } finally {
    await Promise.all([host.client.close(), member?.client.close()]);
  }
}

/** As karmadactl does, a context that is called like the cluster is meant when none is named. */
async function openLeaving(name: string, { clusterKubeconfig: file, clusterContext }: UnjoinFlags) {
  if (file === undefined) return undefined;
  const flag = "--cluster-kubeconfig";
  const context = clusterContext ?? contextsOf(file, flag).find(known => known === name);
  return open({ file, context, flag });
}
