// What does propagation cost on this machine, and does it keep its promises?
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { down, guard, interruption, readEnv, up, type Env } from "./clusters/index.js";
import type { Figures } from "./bench/figures.js";
import { KARMADA_MIB } from "./bench/karmada.js";
import { brokenLimits } from "./bench/limits.js";
import { benchCommand, type BenchOptions } from "./bench/options.js";
import { runPhases } from "./bench/run.js";
import { requestsOf, tableOf } from "./bench/table.js";
import { clearAway, setUp, worldOf } from "./bench/world.js";

/** npm runs scripts in the repository; a relative path is meant from where the person stands. */
function placeOf(dir: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), dir);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function bench(options: BenchOptions): Promise<void> {
  const signal = interruption();
  if (options.dir !== undefined) return measure(readEnv(placeOf(options.dir)), options, signal);
  const dir = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  const callOff = guard(dir);
  try {
    await measure(await up({ dir, members: 2, nodes: options.nodes, operator: true, signal }), options, signal);
  } finally {
    await down(dir);
    rmSync(dir, { recursive: true, force: true });
    await callOff();
  }
}

async function measure(env: Env, options: BenchOptions, signal: AbortSignal): Promise<void> {
  const watching = new AbortController();
  const world = worldOf(env, options, AbortSignal.any([signal, watching.signal]));
  say(`bench: ${options.n} templates; phases ${options.phases.join(", ")}`);
  try {
    await setUp(world);
    const phases = await runPhases(world, figures => say(requestsOf(figures)));
    report(phases, options);
    await clearAway(world);
  } finally {
    watching.abort();
    await Promise.all([world.host, ...world.members.map(({ api }) => api)].map(api => api.close()));
  }
}

function report(phases: readonly Figures[], { check, out }: BenchOptions): void {
  const peak = Math.max(...phases.map(({ peakMiB }) => peakMiB));
  const broken = brokenLimits(phases);
  process.stdout.write(`\n${tableOf(phases)}\n\n`);
  process.stdout.write(`peak of admission and watcher: ${Math.round(peak)} MiB (Karmada: ${KARMADA_MIB} MiB)\n`);
  for (const problem of broken) process.stdout.write(`limit broken: ${problem}\n`);
  if (broken.length === 0) process.stdout.write("every limit is kept\n");
  if (out !== undefined) {
    mkdirSync(placeOf(out), { recursive: true });
    writeFileSync(join(placeOf(out), "bench.json"), `${JSON.stringify(phases, null, 2)}\n`);
  }
  if (check && broken.length > 0) process.exitCode = 1;
}

try {
  await benchCommand(bench).parseAsync();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
