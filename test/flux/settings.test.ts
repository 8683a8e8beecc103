// Do Flux's own switches on objects and Kustomizations do with templates what they do with anything else?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { CEILING_MS, kept, uidsOf, webIn } from "../gitops/fates.js";
import { freshName, shopPolicy, shopTemplates, templateNamespace, web } from "../gitops/shop.js";
import { kubectl } from "../integration/support/case-kubectl.js";
import { eventually } from "../integration/support/eventually.js";
import { flux, type Flux } from "./support/flux.js";
import { isTrue, said } from "./support/kustomization.js";

const open = flux();

const FLUX = "kustomize.toolkit.fluxcd.io";

type Annotations = Readonly<Record<string, string>>;

function annotated<T extends KubeObject>(object: T, annotations: Annotations): T {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

async function fromGit(
  on: Flux,
  prefix: string,
  objects: (namespace: string) => readonly KubeObject[],
  spec: object = {},
) {
  const name = freshName(prefix);
  const source = await on.source(name);
  const revision = await source.commit({ "all.yaml": objects(name) });
  await on.apply({ name, spec });
  return { name, source, revision };
}

describe("kustomize.toolkit.fluxcd.io/ssa", () => {
  const configMap = (namespace: string, name: string, data: object, mode?: string): KubeObject => {
    const made = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
    return mode ? annotated(made, { [`${FLUX}/ssa`]: mode }) : made;
  };
  const objectsWith = (colour: string) => (namespace: string) => [
    templateNamespace(namespace),
    shopPolicy(namespace),
    ...[undefined, "Merge", "IfNotPresent", "Ignore"].map(mode =>
      configMap(namespace, (mode ?? "plain").toLowerCase(), { colour }, mode),
    ),
  ];

  it("decides who has the last word about a template, and the members follow the template", async () => {
    const on = open();
    const { name, source, revision } = await fromGit(on, "modes", objectsWith("green"));
    await on.untilWell(name, revision);
    const sized = ["plain", "merge"].map(each => configMap(name, each, { size: "by hand" }));
    for (const object of sized) await on.host.applyObject(object);
    const next = await source.commit({ "all.yaml": objectsWith("blue")(name) });
    await on.untilWell(name, next);

    const wanted = {
      plain: { colour: "blue" },
      merge: { colour: "blue", size: "by hand" },
      ifnotpresent: { colour: "green" },
      ignore: undefined,
    };
    for (const site of [on.host, ...on.members]) {
      await eventually(
        `${site.name} has what is wanted`,
        async () => {
          const found = Object.keys(wanted).map(async each => {
            const object = await site.find({ kind: "ConfigMap", namespace: name, name: each });
            return [each, object?.["data"]] as const;
          });
          const is = Object.fromEntries(await Promise.all(found));
          expect(is).toEqual(wanted);
          return true;
        },
        CEILING_MS,
      );
    }
  });
});

describe("a change of a field that cannot be changed", () => {
  const other = (namespace: string, annotations: Annotations = {}): KubeObject => {
    const template = JSON.parse(JSON.stringify(web(namespace)).replaceAll('{"app":"web"}', '{"app":"web","v":"2"}'));
    return annotated(template as KubeObject, annotations);
  };

  it("fails with the API server's words, and with force for it the template is made again, and its copies", async () => {
    const on = open();
    const shop = (namespace: string) => [templateNamespace(namespace), shopPolicy(namespace), web(namespace)];
    const { name, source, revision } = await fromGit(on, "force", shop);
    await on.untilWell(name, revision);
    const before = await uidsOf(on.members, name);

    const rest = [templateNamespace(name), shopPolicy(name)];
    const refused = await source.commit({ "all.yaml": [...rest, other(name)] });
    await on.until(name, "names the field", status => {
      return status.lastAttemptedRevision === refused && /spec.selector.*immutable/s.test(said(status, "Ready") ?? "");
    });
    expect(await uidsOf(on.members, name)).toEqual(before);

    const forced = other(name, { [`${FLUX}/force`]: "enabled" });
    await on.untilWell(name, await source.commit({ "all.yaml": [...rest, forced] }));
    const after = await uidsOf(on.members, name);
    for (const [n, uid] of after.entries()) expect([before[n], undefined]).not.toContain(uid);
    expect(await on.host.list("ReplicaSet", name)).toEqual([]);
  });
});

describe("healthChecks", () => {
  it("wait for a policy, a binding, a Work and a Cluster by the expressions of the page", async () => {
    const on = open();
    const shop = (namespace: string) => [templateNamespace(namespace), shopPolicy(namespace), web(namespace)];
    const name = freshName("checks");
    const source = await on.source(name);
    const revision = await source.commit({ "all.yaml": shop(name) });
    const apiVersion = "work.karmada.io";
    const healthChecks = [
      { apiVersion: "policy.karmada.io/v1alpha1", kind: "PropagationPolicy", namespace: name, name: "shop" },
      { apiVersion: `${apiVersion}/v1alpha2`, kind: "ResourceBinding", namespace: name, name: "web-deployment" },
      { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", name: "member1" },
    ];
    await on.apply({ name, spec: { wait: false, healthChecks } });
    await on.untilWell(name, revision);
    const works = await on.host.list("Work", "karmada-es-member1");
    const work = works.find(each => JSON.stringify(each).includes(`"namespace":"${name}"`));
    const its = { apiVersion: `${apiVersion}/v1alpha1`, kind: "Work", ...work?.metadata };
    const check = { apiVersion: its.apiVersion, kind: its.kind, namespace: its.namespace, name: its.name };
    await on.change(name, { healthChecks: [...healthChecks, check] });
    const { generation = 0 } = (await on.find(name))?.metadata ?? {};
    await on.until(name, "is healthy with the Work", status => {
      return status.observedGeneration === generation && isTrue(status, "Ready") && isTrue(status, "Healthy");
    });

    const missing = { ...check, name: "no-such-work" };
    await on.change(name, { healthChecks: [missing], timeout: "5s" });
    await on.until(name, "misses what is not there", status => {
      return (said(status, "Ready") ?? "").includes(`Work/karmada-es-member1/no-such-work status: 'NotFound'`);
    });
  });
});

describe("a repository that mixes policies, templates and members' Secrets in one Kustomization", () => {
  it("is Ready, keeps the members joined, and sends no member's Secret anywhere", async () => {
    const on = open();
    const keep = { [`${FLUX}/prune`]: "disabled" };
    const cluster = await on.host.find({ kind: "Cluster", name: "member2" });
    const {
      secretRef,
      taints: _taints,
      ...rest
    } = cluster?.["spec"] as {
      secretRef: { namespace: string; name: string };
      taints?: unknown;
    };
    const secret = await on.host.find({ kind: "Secret", ...secretRef });
    if (!cluster || !secret) throw new Error("member2 is not joined");
    const { apiVersion, kind, metadata } = cluster;
    const spec = { ...rest, secretRef };
    const { name, revision } = await fromGit(on, "mixed", namespace => [
      ...shopTemplates(namespace),
      shopPolicy(namespace),
      templateNamespace(namespace),
      { apiVersion, kind, metadata: { name: metadata.name, annotations: keep }, spec },
      {
        ...{ apiVersion: "v1", kind: "Secret", metadata: { ...secretRef, annotations: keep } },
        ...{ type: secret["type"], data: secret["data"] },
      },
    ]);
    await on.untilWell(name, revision);
    for (const member of on.members) expect(await member.list("Secret", name)).toEqual([]);

    await on.delete(name);
    await on.untilGone(name);
    const after = await on.host.find({ kind: "Cluster", name: "member2" });
    expect(after?.metadata.uid).toBe(metadata.uid);
    expect(after?.metadata).not.toHaveProperty("deletionTimestamp");
    for (const member of on.members) {
      await eventually(`web is gone from ${member.name}`, async () => !(await member.find(webIn(name))), CEILING_MS);
    }
  });
});

describe("a Kustomization that is suspended", () => {
  it("leaves an edit to the members; resumed, it takes back what kubectl wrote and leaves what others own", async () => {
    const on = open();
    const shop = (namespace: string) => [
      templateNamespace(namespace),
      shopPolicy(namespace, { preserveResourcesOnDeletion: true }),
      web(namespace),
    ];
    const { name, revision } = await fromGit(on, "edit", shop);
    await on.untilWell(name, revision);
    const uids = await uidsOf(on.members, name);
    await on.change(name, { suspend: true });

    const containers = [{ name: "c", image: "registry.example/web:hot-fix" }];
    const patch = { metadata: { labels: { seen: "by-hand" } }, spec: { template: { spec: { containers } } } };
    const edit = async (manager: string, body: object): Promise<void> => {
      const args = ["patch", "deployment", "web", "-n", name, `--field-manager=${manager}`, "-p", JSON.stringify(body)];
      expect(await kubectl("host", args)).toMatchObject({ code: 0 });
    };
    await edit("kubectl-edit", patch);
    await edit("somebody-else", { metadata: { labels: { other: "by-program" } } });
    const everywhere = (image: string): Promise<unknown> =>
      eventually(
        `${image} is everywhere`,
        async () => {
          const objects = await Promise.all([on.host, ...on.members].map(site => site.find(webIn(name))));
          return objects.every(object => JSON.stringify(object?.["spec"]).includes(image)) && objects;
        },
        CEILING_MS,
      );
    await everywhere("web:hot-fix");

    await on.change(name, { suspend: false });
    await on.reconciled(name);
    await everywhere("web:1.0");
    await on.untilWell(name, revision);
    const template = await on.host.find(webIn(name));
    // Flux takes back whatever kubectl wrote, and leaves what others own and Git does not say.
    expect(template?.metadata.labels).not.toHaveProperty("seen");
    expect(template?.metadata.labels).toHaveProperty("other", "by-program");
    expect(imageOwners(template)).toEqual(["kustomize-controller Apply"]);
    expect(await uidsOf(on.members, name)).toEqual(uids);

    await on.delete(name);
    await on.untilGone(name);
    for (const [n, member] of on.members.entries()) await kept(member, name, uids[n]);
  });
});

/** Who owns the image of the Deployment's container, as the API server has it. */
function imageOwners(template: KubeObject | undefined): string[] {
  const entries = (template?.metadata as { managedFields?: readonly Readonly<Record<string, unknown>>[] })
    .managedFields;
  return (entries ?? [])
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:image":'))
    .map(({ manager, operation }) => `${String(manager)} ${String(operation)}`);
}
