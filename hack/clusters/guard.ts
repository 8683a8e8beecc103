// Who ends clusters whose owner died without a word?
import { join } from "node:path";
import { ROOT } from "./bundle.js";
import { end, launch } from "./processes.js";

// A shell costs 1 MiB to wait in, node costs 50.
const WAIT = 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; shift; exec "$@"';

/**
 * Starts a process that waits until this one is gone, however it ends (vitest, for one, leaves at Ctrl-C without
 * waiting for anybody), and then ends the clusters in `dir` and removes the directory.
 * @returns what calls the guard off.
 */
export function guard(dir: string): () => Promise<void> {
  const down = [process.execPath, "--import", "tsx", join(ROOT, "hack/clusters.ts"), "down", "--remove", "--dir", dir];
  const id = launch({
    argv: ["/bin/sh", "-c", WAIT, "holdfast-guard", String(process.pid), ...down],
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    cwd: ROOT,
    log: join(dir, "guard.log"),
  });
  return () => end(id, 1_000);
}
