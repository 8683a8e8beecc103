// How does a long command run that a person need not read, unless it fails?
import { spawn } from "node:child_process";

const EVERY_MS = 10_000;
const LAST_LINES = 20;

/**
 * Runs a command, says every ten seconds that it still runs, and shows its last lines only if it fails.
 * @param {{label: string, argv: string[], cwd: string, hint: string}} step
 */
export async function runQuietly({ label, argv, cwd, hint }) {
  const began = Date.now();
  const say = () => process.stderr.write(`${label} (${Math.round((Date.now() - began) / 1000)} s)\n`);
  const timer = setInterval(say, EVERY_MS);
  try {
    const { code, output } = await collect(argv, cwd);
    if (code === 0) return;
    throw new Error(`${label} failed:\n${output.trim().split("\n").slice(-LAST_LINES).join("\n")}\n${hint}`);
  } finally {
    clearInterval(timer);
  }
}

function collect([command, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", text => (output += text));
    child.on("error", reject);
    child.on("close", code => resolve({ code, output }));
  });
}
