// Does a real API server take every CRD, explain each field, and judge manifests as the schemas say?
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { parse, stringify } from "yaml";
import { KINDS } from "../../crds/kinds.js";
import { structuralSchema, type SchemaNode } from "../../hack/crd-schema/structural.js";

declare module "vitest" {
  interface ProvidedContext {
    clusters: string;
  }
}

const SEEDS = join(import.meta.dirname, "../fixtures/seeds");
const CRDS = join(import.meta.dirname, "../../crds");

interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

const env = JSON.parse(readFileSync(join(inject("clusters"), "env.json"), "utf8")) as {
  readonly kubectl: string;
  readonly host: { readonly kubeconfig: string };
};

function kubectl(args: readonly string[], input?: string): Answer {
  const done = spawnSync(env.kubectl, ["--kubeconfig", env.host.kubeconfig, ...args], { input, encoding: "utf8" });
  return { ok: done.status === 0, text: `${done.stdout}${done.stderr}` };
}

function dryRun(manifest: string): Answer {
  return kubectl(["create", "--dry-run=server", "--namespace=default", "--output=yaml", "--filename=-"], manifest);
}

beforeAll(async () => {
  const files = readdirSync(CRDS).filter(name => name.endsWith(".yaml"));
  const flags = files.flatMap(name => ["--filename", join(CRDS, name)]);
  const applied = kubectl(["apply", "--server-side", "--force-conflicts", ...flags]);
  if (!applied.ok) throw new Error(applied.text);
  const names = KINDS.map(kind => `crd/${kind.plural}.${kind.group}`);
  execFileSync(env.kubectl, ["--kubeconfig", env.host.kubeconfig, "wait", "--for=condition=Established", ...names]);
});

describe("the API server explains", () => {
  it.each(KINDS)("every field of $kind", async kind => {
    const fields = fieldNames(structuralSchema(kind.schema));
    // A kind can be served a moment before the API server publishes its schema.
    await vi.waitFor(
      () => {
        const { ok, text } = kubectl(["explain", "--recursive", `${kind.plural}.${kind.group}`]);
        expect(ok, text).toBe(true);
        expect(fields.filter(name => !new RegExp(`^\\s+${name}\\t<`, "m").test(text))).toEqual([]);
      },
      { timeout: 20_000, interval: 500 },
    );
  });

  it.each`
    level                                                                          | says
    ${"pp"}                                                                        | ${"Sends objects of its own namespace to clusters"}
    ${"pp.spec"}                                                                   | ${"Which objects go to which clusters"}
    ${"cpp.spec.preserveResourcesOnDeletion"}                                      | ${"when their template is deleted"}
    ${"pp.spec.placement.clusterAffinity.labelSelector.matchExpressions.operator"} | ${"NotIn"}
    ${"op.spec.overrideRules.overriders.imageOverrider.component"}                 | ${"Registry"}
    ${"cop.spec.overriders.plaintext.value"}                                       | ${"none for remove"}
    ${"rb.status.aggregatedStatus.health"}                                         | ${"Unhealthy"}
    ${"crb.spec.replicaRequirements.nodeClaim.hardNodeAffinity"}                   | ${"Node affinity that must hold"}
    ${"works.status.manifestStatuses.identifier.ordinal"}                          | ${"from 0"}
    ${"clusters.status.resourceSummary.allocatableModelings.grade"}                | ${"Number of the grade"}
  `("$level", ({ level, says }) => {
    const { ok, text } = kubectl(["explain", level]);
    expect(ok, text).toBe(true);
    expect(text.replace(/\s+/g, " ")).toContain(says);
  });
});

describe("the manifests of the seeds", () => {
  it.each(readdirSync(SEEDS).filter(name => name !== "overview-override-policy.yaml"))("%s is taken", name => {
    const { ok, text } = dryRun(readFileSync(join(SEEDS, name), "utf8"));
    expect(ok, text).toBe(true);
  });

  it("an image component that does not exist is refused with the ones that do", () => {
    const { ok, text } = dryRun(readFileSync(join(SEEDS, "overview-override-policy.yaml"), "utf8"));
    expect(ok).toBe(false);
    expect(text).toContain(
      'spec.overriders.imageOverrider[0].component: Unsupported value: "prefix": supported values: "Registry", "Repository", "Tag"',
    );
  });

  it("the misspelt propagateDependensies and spreadByLabel are kept, so that admission can name them", () => {
    const { text } = dryRun(readFileSync(join(SEEDS, "overview-propagation-policy.yaml"), "utf8"));
    expect(text).toContain("propagateDependensies: false");
    expect(text).toContain("spreadByLabel: failuredomain.kubernetes.io/zone");
  });

  it("defaults are filled in, once", () => {
    const { text } = dryRun(readFileSync(join(SEEDS, "rollback-propagation-policy.yaml"), "utf8"));
    expect(parse(text).spec).toMatchObject({
      conflictResolution: "Abort",
      preemption: "Never",
      priority: 0,
      schedulerName: "default-scheduler",
      preserveResourcesOnDeletion: true,
    });
  });
});

describe("without any webhook the API server refuses", () => {
  const policy = (spec: object) => manifest("policy.karmada.io/v1alpha1", "PropagationPolicy", spec);
  const override = (spec: object) => manifest("policy.karmada.io/v1alpha1", "OverridePolicy", spec);
  const deployments = [{ apiVersion: "apps/v1", kind: "Deployment" }];

  it.each`
    given                                  | object                                                                                                                                 | says
    ${"no resource selector"}              | ${policy({ resourceSelectors: [] })}                                                                                                   | ${"should have at least 1 items"}
    ${"an empty resource selector"}        | ${policy({ resourceSelectors: [{}] })}                                                                                                 | ${"spec.resourceSelectors[0].apiVersion: Required value"}
    ${"an unknown conflict resolution"}    | ${policy({ resourceSelectors: deployments, conflictResolution: "Ask" })}                                                               | ${'supported values: "Abort", "Overwrite"'}
    ${"both kinds of cluster affinity"}    | ${policy({ resourceSelectors: deployments, placement: { clusterAffinity: {}, clusterAffinities: [{ affinityName: "a" }] } })}          | ${"clusterAffinity and clusterAffinities exclude each other"}
    ${"both kinds of suspension"}          | ${policy({ resourceSelectors: deployments, suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ["member1"] } } })} | ${"dispatching: true already holds back every cluster"}
    ${"preemption without names"}          | ${policy({ resourceSelectors: deployments, preemption: "Always" })}                                                                    | ${"preemption: Always needs a name"}
    ${"new rules beside an old overrider"} | ${override({ overrideRules: [{ overriders: {} }], overriders: { fieldOverrider: [{ fieldPath: "/data/a" }] } })}                       | ${"overrideRules cannot stand beside"}
    ${"new rules beside an old target"}    | ${override({ overrideRules: [{ overriders: {} }], targetCluster: {} })}                                                                | ${"overrideRules cannot stand beside"}
  `("$given", ({ object, says }) => {
    const { ok, text } = dryRun(object);
    expect(ok, text).toBe(false);
    expect(text).toContain(says);
  });

  it("a change of the scheduler, but not from one name of the default to the other", () => {
    const name = `scheduler-${Date.now()}`;
    const created = kubectl(
      ["create", "--namespace=default", "--filename=-"],
      manifest("policy.karmada.io/v1alpha1", "PropagationPolicy", { resourceSelectors: deployments }, name),
    );
    expect(created.ok, created.text).toBe(true);

    const patch = (schedulerName: string) =>
      kubectl([
        "patch",
        "pp",
        name,
        "--namespace=default",
        "--type=merge",
        "--patch",
        stringify({ spec: { schedulerName } }),
      ]);
    expect(patch("default").ok).toBe(true);
    const refused = patch("other");
    expect(refused.ok).toBe(false);
    expect(refused.text).toContain("schedulerName cannot change");

    kubectl(["delete", "pp", name, "--namespace=default", "--wait=false"]);
  });
});

function manifest(apiVersion: string, kind: string, spec: object, name = "probe"): string {
  return stringify({ apiVersion, kind, metadata: { name }, spec });
}

/** Names of all fields but those of metadata, which the API server describes itself. */
function fieldNames(node: SchemaNode): string[] {
  const names = Object.entries(node.properties ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldNames(field.items ?? field),
  ]);
  return [...new Set(names)];
}
