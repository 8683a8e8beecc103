// How does a person see the whole of Holdfast in one command?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { down, guard, interruption, up, type Env } from "./clusters/index.js";
import { stageOn, type Stage } from "./demo/stage.js";
import { tellStory } from "./demo/story.js";
import { terminalOn } from "./demo/terminal.js";

interface Flags {
  readonly check: boolean;
  readonly dir?: string;
  readonly keep: boolean;
  readonly down: boolean;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const terminal = terminalOn(process.stdout, process.env);

async function demo(flags: Flags): Promise<void> {
  const began = Date.now();
  const ends = flags.down || (flags.check && !flags.keep);
  const dir = await placeFor(flags.dir, ends);
  const callOff = ends ? guard(dir) : async () => undefined;
  const signal = interruption();
  let finished = false;
  try {
    const env = await bringUp(dir, signal);
    const showChecks = flags.check;
    const stage = stageOn({ env, root: ROOT, terminal, showChecks, from: 2, signal });
    await tellStory(stage);
    finished = true;
    terminal.say(`\nThe story took ${Math.round((Date.now() - began) / 1000)} s.`);
    if (!ends) goOn(env, stage);
  } finally {
    if (ends || signal.aborted) await takeDown(dir, flags.dir === undefined);
    else if (!finished)
      terminal.say(`\nTo look into it: ${dir}/logs; to end it: npm run clusters -- down --dir ${dir}`);
    await callOff();
  }
}

/** A demo that ends with its clusters needs no fixed place; one that leaves them up takes over from the one before. */
async function placeFor(dir: string | undefined, ends: boolean): Promise<string> {
  if (dir !== undefined) return resolve(process.env["INIT_CWD"] ?? process.cwd(), dir);
  if (ends) return mkdtempSync(join(tmpdir(), "holdfast-demo-"));
  const own = join(ROOT, ".holdfast", "demo");
  if ((await down(own)) > 0) terminal.say("The clusters of the demo before this one are down.");
  return own;
}

async function bringUp(dir: string, signal: AbortSignal): Promise<Env> {
  terminal.heading(1, "Three clusters");
  terminal.say("A host, which runs no workloads, two members, and the operator; no container is needed for it.");
  const shown = relative(process.cwd(), dir).startsWith("..") ? dir : relative(process.cwd(), dir);
  terminal.command(`npm run clusters -- up --dir ${shown} --members 2 --operator --no-join`);
  const env = await up({ dir, members: 2, operator: true, join: false, signal, say: terminal.output });
  terminal.see("Real API servers, controllers and schedulers; only the nodes are played, by kwok.");
  return env;
}

async function takeDown(dir: string, remove: boolean): Promise<void> {
  const ended = await down(dir);
  if (remove) rmSync(dir, { recursive: true, force: true });
  terminal.say(`${ended} processes ended.`);
}

function goOn({ dir, host, members }: Env, { place }: Stage): void {
  terminal.say("\nThe clusters are still up. To go on by hand, in the repository:");
  terminal.output(`export PATH="${place.bin}:$PATH" KUBECONFIG="${place.kubeconfig}"`);
  terminal.say("Their kubeconfigs, one by one:");
  const files = Object.entries({ host, ...members }).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { kubeconfig }] of files) terminal.output(`${name}: ${kubeconfig}`);
  terminal.say("To end them:");
  terminal.output(`npm run clusters -- down --remove --dir ${dir}`);
}

const program = new Command("demo")
  .description("tells the story of a workload on two clusters: spread, changed, put back, adopted, handed back")
  .option("--check", "show what is checked at each step, and end the clusters", false)
  .option("--dir <dir>", "the directory of the clusters")
  .addOption(new Option("--keep", "leave the clusters up, also after --check").default(false).conflicts("down"))
  .option("--down", "end the clusters", false)
  .action(demo);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`\ndemo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
