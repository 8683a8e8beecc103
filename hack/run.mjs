// What does `npm run NAME` do on a machine that may have nothing but Node and Go?
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkGenerated, generate } from "./generate.mjs";
import { ensurePackages, tooOld } from "./npm.mjs";
import { tally } from "./tally.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const [name = "", ...args] = process.argv.slice(2);

// Not e2e, which needs root, monitoring, which needs Debian's package, nor argocd and flux, whose programs take long to build. Vitest takes a project that any one name fits,
// so two names with a "!" would leave out nothing.
const ORDINARY = ["unit", "integration", "cases", "ordinary", "faults", "chart", "races"].flatMap(project => [
  "--project",
  project,
]);

const COMMANDS = {
  test: () => runTests(args.some(arg => arg.startsWith("--project")) ? args : [...ORDINARY, ...args]),
  "test:e2e": () => runTests(["--project", "e2e", ...args]),
  "test:monitoring": () => runTests(["--project", "monitoring", ...args]),
  "test:races": runRaces,
  lint,
  format: () => tool("prettier/bin/prettier.cjs", ["--write", ".", "--log-level=warn"]),
  generate: () => (args.includes("--check") ? checkGenerated(ROOT, runScript) : generate(ROOT, runScript)),
};

async function main() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  if (tooOld(process.versions.node, engines.node)) {
    throw new Error(`Node ${process.versions.node} is too old: install Node ${engines.node} (https://nodejs.org).`);
  }
  const script = join(ROOT, "hack", `${name}.ts`);
  const command = COMMANDS[name] ?? (existsSync(script) ? () => runScript(script, ROOT, args) : undefined);
  if (!command) throw new Error(`${name || "no name"}: no such command; see the scripts in package.json`);
  await ensurePackages(ROOT);
  return command();
}

async function lint() {
  const codes = [
    await tool("typescript/bin/tsc", ["-p", ".", "--noEmit"]),
    await tool("eslint/bin/eslint.js", ["."]),
    await tool("prettier/bin/prettier.cjs", ["--check", ".", "--log-level=warn"]),
    await tool("knip/bin/knip.js", []),
  ];
  return codes.find(code => code !== 0) ?? 0;
}

/** Many hours of random stories; the environment may ask for fewer, and for a certain one. */
function runRaces() {
  process.env.HOLDFAST_RACES_RUNS ??= "10000";
  return runTests(["--project", "races", ...args]);
}

async function runTests(args) {
  const onlyUnit = /--project[= ]unit\b/.test(args.join(" ")) && !/--project[= ](?!unit\b)/.test(args.join(" "));
  const dir = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  const file = join(dir, "report.json");
  let code = onlyUnit ? 0 : await runScript(join(ROOT, "hack", "clusters.ts"), ROOT, ["binaries"]);
  if (code === 0) {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    code = await tool("vitest/vitest.mjs", ["run", ...reporters, ...args]);
  }
  const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  rmSync(dir, { recursive: true, force: true });
  const { passed, failed } = tally(report, code);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return code;
}

function tool(path, toolArgs) {
  return runNode([join(ROOT, "node_modules", path), ...toolArgs], ROOT);
}

function runScript(script, cwd, scriptArgs = []) {
  return runNode(["--import", "tsx", script, ...scriptArgs], cwd);
}

/** The child decides what Ctrl-C means: it may have clusters to end. This process waits for its answer. */
function runNode(nodeArgs, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, nodeArgs, { cwd, stdio: "inherit" });
    const pass = signal => child.kill(signal);
    const ignore = () => undefined;
    process.on("SIGTERM", pass).on("SIGINT", ignore);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGTERM", pass).off("SIGINT", ignore);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  if (name.startsWith("test")) process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
}
