// How does a test use the real helm with Holdfast's chart?
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { ROOT } from "../../../hack/clusters/bundle.js";
import { ensureHelm } from "../../../hack/clusters/index.js";
import { accessTo } from "../../integration/support/case-kubectl.js";

const run = promisify(execFile);

/** The chart of this tree. */
export const CHART = join(ROOT, "charts/holdfast");
/** The chart of an earlier state, packed. */
const EARLIER = join(ROOT, "test/fixtures/chart/holdfast-0.0.1.tgz");

/** Nobody answers behind the Service: the pods have no containers. A request must not wait for them. */
export const UNANSWERED = ["--set", "webhooks.failurePolicy=Ignore,webhooks.timeoutSeconds=1"];

/** What helm printed. @throws Error with helm's words */
export async function helm(...args: readonly string[]): Promise<string> {
  const program = await ensureHelm();
  const { stdout } = await run(program, ["--kubeconfig", accessTo("host").kubeconfig, ...args], { maxBuffer: 2 ** 26 });
  return stdout;
}

/** Why helm refused; empty when it did not. */
export function refusal(...args: readonly string[]): Promise<string> {
  return helm(...args).then(
    () => "",
    (error: unknown) => String(error),
  );
}

/** The chart of an earlier state, and earlier still: its kind of policies lacks a field. */
export async function earlierChart(field: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-earlier-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await run("tar", ["-xzf", EARLIER, "-C", dir]);
  const file = join(dir, "holdfast/files/crds/propagationpolicies.policy.karmada.io.yaml");
  const crd = parse(readFileSync(file, "utf8")) as Crd;
  for (const { schema } of crd.spec.versions) delete schema.openAPIV3Schema.properties.spec.properties[field];
  writeFileSync(file, stringify(crd));
  return join(dir, "holdfast");
}

interface Crd {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: {
        readonly openAPIV3Schema: {
          readonly properties: { readonly spec: { readonly properties: Record<string, unknown> } };
        };
      };
    }[];
  };
}
