// What is left on this machine of a real node whose owner was killed in the middle of bringing it up?
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../hack/clusters/bundle.js";
import { down } from "../../hack/clusters/index.js";
import { readState, runningIn } from "../../hack/clusters/state.js";
import { traces } from "../../hack/node/traces.js";
import { eventually } from "../integration/support/eventually.js";

const OWNER = `
import { guard, up } from ${JSON.stringify(join(ROOT, "hack/clusters/index.ts"))};
const [dir] = process.argv.slice(-1);
guard(dir);
await up({ dir, members: 1, nodes: false, realNode: true });
`;

it("leaves nothing when its owner is killed", async () => {
  const before = new Set(await traces());
  const dir = mkdtempSync(join(tmpdir(), "holdfast-killed-"));
  onTestFinished(async () => {
    await down(dir);
    rmSync(dir, { recursive: true, force: true });
  });
  const argv = ["--import", "tsx", "--input-type=module", "--eval", OWNER, dir];
  const owner = spawn(process.execPath, argv, { cwd: ROOT, stdio: "ignore" });
  await eventually("kubelet runs", () => isRunning(dir, "host-kubelet"), 90_000);
  expect((await traces()).filter(line => !before.has(line)).length).toBeGreaterThan(5);

  owner.kill("SIGKILL");
  await eventually("everything is gone", async () => (await traces()).every(line => before.has(line)), 60_000);
  expect(readState(dir)).toBeUndefined();
});

function isRunning(dir: string, name: string): boolean {
  const state = readState(dir);
  return state !== undefined && runningIn(state).includes(name);
}
