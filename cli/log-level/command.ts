// The command `log-level`: how much the operator logs, without a restart.
import { Argument, Option, type Command } from "commander";
import { LOG_LEVEL_CONFIG_MAP } from "../../lib/engine/log-level.js";
import { LOG_LEVELS } from "../../lib/engine/log.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { hostOptions, openHost, timeoutOption, type HostFlags } from "../access/host.js";
import { parseDuration } from "../duration.js";
import { examples } from "../examples.js";
import { unreachable } from "../identity.js";
import { operatorOption, type OperatorFlags } from "../operator/flags.js";
import { namespaceOfOperator } from "../operator/installation.js";
import type { Shell } from "../shell.js";

interface LevelFlags extends HostFlags, OperatorFlags {
  /** Milliseconds. */
  readonly for: number;
}

const MANAGER = "holdfast-cli";
const HELP = `
All pods of the operator follow within a second. Afterwards, and with reset, what they were started with counts again (logLevel of
the chart). Exit codes: 0 written, 1 the host does not answer or refuses, 2 wrong flags or input.
${examples("holdfast log-level debug", "holdfast log-level debug --for 1h", "holdfast log-level reset")}`;

/** Adds `log-level`. */
export function addLogLevel(program: Command, shell: Shell): void {
  const command = program
    .command("log-level")
    .helpGroup("Troubleshooting:")
    .description("Set how much the operator logs, for a while and without a restart.")
    .addArgument(new Argument("<level>", "the least level to log, or reset").choices([...LOG_LEVELS, "reset"]))
    .addOption(new Option("--for <duration>", "for how long").argParser(parseDuration).default(900_000, "15m"));
  operatorOption(timeoutOption(hostOptions(command)))
    .addHelpText("after", HELP)
    .action((level: string, flags: LevelFlags) => setLevel(level, flags, shell));
}

async function setLevel(level: string, flags: LevelFlags, { output }: Shell): Promise<void> {
  const { client, connection } = await openHost(flags);
  try {
    const namespace = flags.operatorNamespace ?? (await namespaceOfOperator(client));
    const done = level === "reset" ? reset(client, namespace) : write(client, namespace, { level, forMs: flags.for });
    output.print(await done);
  } catch (error) {
    throw unreachable(error, `ConfigMap ${LOG_LEVEL_CONFIG_MAP} on the host`, connection.server);
  } finally {
    await client.close();
  }
}

async function reset(client: KubeClient, namespace: string): Promise<string> {
  await new ResourceClient(client, CONFIG_MAPS).delete({ namespace, name: LOG_LEVEL_CONFIG_MAP });
  return "the operator logs as it was started";
}

interface Word {
  readonly level: string;
  readonly forMs: number;
}

async function write(client: KubeClient, namespace: string, { level, forMs }: Word): Promise<string> {
  const until = new Date(Date.now() + forMs).toISOString();
  const map = {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: LOG_LEVEL_CONFIG_MAP } },
    data: { level, until },
  };
  await new ResourceClient(client, CONFIG_MAPS).apply(map, { manager: MANAGER, force: true });
  return `the operator logs ${level} and above until ${until}`;
}
