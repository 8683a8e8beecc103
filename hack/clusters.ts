// How does a person bring real clusters up and down, and break them on purpose?
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { importImage, machineOf } from "./node/containers.js";
import { down, ensureBinaries, interruption, kill, start, stop, up, type Env } from "./clusters/index.js";

interface UpFlags {
  readonly dir: string;
  readonly members: string;
  readonly host: "controlPlane" | "ordinary";
  readonly realNode: boolean;
  readonly nodes: boolean;
  readonly operator: boolean;
  readonly join: boolean;
  readonly argocd: boolean;
  readonly flux: boolean;
}

/** npm runs scripts in the repository; a relative path is meant from where the person stands. */
function placeOf(dir: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), dir);
}

async function upCommand({ dir, members, ...flags }: UpFlags): Promise<void> {
  const began = Date.now();
  const place = placeOf(dir);
  const env = await up({ dir: place, members: Number(members), ...flags, signal: interruption() });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const clusters = Object.entries({ host: env.host, ...env.members });
  const lines = clusters.map(([name, { kubeconfig }]) => `${name}: export KUBECONFIG=${kubeconfig}`);
  const rest = [
    `kubectl: ${env.kubectl}`,
    ...(env.argocd ? [`Argo CD: ${env.argocd}`] : []),
    `all of it: ${place}/env.json`,
    `end: npm run clusters -- down --dir ${place}`,
  ];
  process.stdout.write(`${[`ready after ${seconds} s`, ...lines, ...rest].join("\n")}\n`);
}

async function downCommand({ dir, remove }: { readonly dir: string; readonly remove: boolean }): Promise<void> {
  const ended = await down(placeOf(dir));
  if (remove) rmSync(placeOf(dir), { recursive: true, force: true });
  process.stdout.write(`${ended} process(es) ended\n`);
}

function one(act: (dir: string, name: string) => Promise<Env>, done: string) {
  return async (name: string, { dir }: { readonly dir: string }): Promise<void> => {
    const { pids } = await act(placeOf(dir), name);
    const pid = pids[name];
    process.stdout.write(`${name} ${done}${pid === undefined ? "" : ` (pid ${pid})`}\n`);
  };
}

/** Pods find it under its name; nothing is pulled, since there is no registry. */
async function loadCommand(file: string, { dir }: { readonly dir: string }): Promise<void> {
  await importImage(machineOf(placeOf(dir)), placeOf(file));
  process.stdout.write(`${file} is on the node\n`);
}

const program = new Command("clusters").description(
  "real Kubernetes control planes on this machine, without containers",
);
const dirFlag = ["--dir <dir>", "the directory of these clusters"] as const;
program
  .command("up")
  .description("start one etcd, a host and its members, and return when all of it is ready")
  .requiredOption(...dirFlag)
  .option("--members <n>", "how many members", "2")
  .addOption(
    new Option("--host <kind>", "ordinary: with workload controllers and a node")
      .choices(["controlPlane", "ordinary"])
      .default("controlPlane"),
  )
  .option("--real-node", "an ordinary host with a real kubelet and real containers; needs root and Debian", false)
  .option("--no-nodes", "members without scheduler and node")
  .option("--operator", "with the operator, and every member joined", false)
  .option("--no-join", "with the operator, but no member joined")
  .option("--argocd", "with the real Argo CD beside the host", false)
  .option("--flux", "with the real kustomize-controller of Flux beside the host", false)
  .action(upCommand);
program
  .command("down")
  .description("end exactly these processes")
  .requiredOption(...dirFlag)
  .option("--remove", "and remove the directory", false)
  .action(downCommand);
program
  .command("stop <name>")
  .description("ask one process to end")
  .requiredOption(...dirFlag)
  .action(one(stop, "stopped"));
program
  .command("kill <name>")
  .description("end one process as a crash would")
  .requiredOption(...dirFlag)
  .action(one(kill, "killed"));
program
  .command("start <name>")
  .description("start one process again as it was")
  .requiredOption(...dirFlag)
  .action(one(start, "ready"));
program
  .command("load <file>")
  .description("bring an image, as npm run image writes it, onto the real node")
  .requiredOption(...dirFlag)
  .action(loadCommand);
program
  .command("binaries")
  .description("build what is missing")
  .action(async () => void (await ensureBinaries()));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
