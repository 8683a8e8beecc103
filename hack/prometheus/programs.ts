// Where do prometheus and promtool come from? Debian's package, unpacked into the cache; nothing of the machine is changed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "../clusters/cache.js";
import { runStep, sayToStderr } from "../clusters/step.js";

/** Paths of both programs. */
export interface Prometheus {
  readonly prometheus: string;
  readonly promtool: string;
}

const PACKAGE = "prometheus";
const HINT =
  "On Debian and its relatives apt-get and dpkg-deb are there; elsewhere put prometheus and promtool there by hand.";

/** Downloads and unpacks what is not in the cache. @throws Error that says what is missing */
export async function ensurePrometheus(): Promise<Prometheus> {
  const home = cacheDir("prometheus-debian", process.env);
  if (!existsSync(programsIn(home).prometheus)) await unpackInto(home);
  return programsIn(home);
}

function programsIn(home: string): Prometheus {
  const bin = join(home, "usr", "bin");
  return { prometheus: join(bin, "prometheus"), promtool: join(bin, "promtool") };
}

async function unpackInto(home: string): Promise<void> {
  mkdirSync(dirname(home), { recursive: true });
  const draft = mkdtempSync(`${home}-`);
  try {
    const hint = HINT;
    await runStep(
      { label: `downloading ${PACKAGE}`, argv: ["apt-get", "download", "-qq", PACKAGE], cwd: draft, hint },
      sayToStderr,
    );
    const file = readdirSync(draft).find(name => name.endsWith(".deb"));
    if (!file) throw new Error(`apt-get download ${PACKAGE} left no package. ${HINT}`);
    const argv = ["dpkg-deb", "-x", join(draft, file), draft];
    await runStep({ label: `unpacking ${PACKAGE}`, argv, hint }, sayToStderr);
    rmSync(join(draft, file));
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
