// Is a policy about deletion checked when it is applied, does it tell what it does, and does its word outlive it?
import { describe, expect, it, onTestFinished } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { CASCADE_FINALIZER } from "../../../lib/domain/marks.js";
import { openShop } from "../support/case.js";
import {
  apply,
  applied,
  applyUnseen,
  freshName,
  freshNamespace,
  kubectl,
  remove,
  warningsIn,
} from "../support/case-kubectl.js";
import { cascadePolicy, WEB } from "../support/case-objects.js";
import { absent, condition, present } from "../support/case-world.js";
import { eventually } from "../support/eventually.js";
import type { Shop } from "../support/shop.js";

const ALL = { apiVersion: "apps/v1", kind: "Deployment" };
const orphan = (resourceSelector: object = WEB): object => ({
  cascadeDeletion: "orphan",
  resourceSelectors: [resourceSelector],
});
const background = (resourceSelector: object = WEB): object => ({
  ...orphan(resourceSelector),
  cascadeDeletion: "background",
});

const keep = (shop: Shop): KubeObject => cascadePolicy(shop.namespace, "keep", orphan());
const counts = (number: number) => (object: KubeObject) =>
  (object["status"] as { matched?: number } | undefined)?.matched === number;

describe("applying a policy about deletion", () => {
  it("refuses what cannot work, all at once", async () => {
    const ns = await freshNamespace();
    const said = await apply(
      "host",
      cascadePolicy(ns, "p", {
        resourceSelectors: [
          { apiVersion: "v1", kind: "*" },
          { ...WEB, namespace: "other" },
        ],
        targetCluster: { clusterNames: [""] },
      }),
    );
    expect(said.code).toBe(1);
    for (const text of [
      'spec.resourceSelectors[0].kind: Invalid value: "*": taken literally, there are no wildcards',
      `spec.resourceSelectors[1].namespace: Invalid value: "other": selects outside the policy's own namespace; write ${ns}`,
      "spec.targetCluster.clusterNames[0]: Required value",
    ]) {
      expect(said.text).toContain(text);
    }
  });

  it.each([
    ["no selectors", { resourceSelectors: [] }, "should have at least 1 items"],
    [
      "an unknown word",
      { ...orphan(), cascadeDeletion: "foreground" },
      'supported values: "orphan", "background", "adopted"',
    ],
  ])("refuses %s by its schema", async (_given, spec, says) => {
    const said = await apply("host", cascadePolicy(await freshNamespace(), "p", spec));
    expect(said.code).toBe(1);
    expect(said.text).toContain(says);
  });

  it("warns of what may not be meant", async () => {
    const ns = await freshNamespace();
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "app" };
    const widget = { apiVersion: "example.test/v1", kind: "Gizmo" };
    const named = { ...WEB, labelSelector: { matchLabels: { app: "web" } } };
    const spec = { resourceSelectors: [named, role, widget], targetCluster: { clusterNames: ["member9"] } };
    expect(warningsIn(await apply("host", cascadePolicy(ns, "p", spec)))).toEqual([
      "spec.resourceSelectors[0].labelSelector: without effect, because name is set; remove one of them",
      "spec.resourceSelectors[2]: this cluster serves no Gizmo of example.test/v1; check apiVersion and kind",
      "spec.resourceSelectors[1]: ClusterRole has no namespace, so only a ClusterCascadeDeletionPolicy can select it",
      'spec.targetCluster.clusterNames: cluster "member9" has not joined; check the name, or join it',
    ]);
  });
});

describe("a policy about deletion", () => {
  it("counts, warns when it is weakened, and keeps its word when it goes", async () => {
    const shop = await openShop("cdp-word");
    const before = await shop.settle({ replicas: 0 });
    const policy = keep(shop);
    await applied("host", policy);
    await present("host", policy, counts(1));
    expect((await present("host", policy)).metadata.finalizers).toEqual([CASCADE_FINALIZER]);
    await condition(policy, "Ready", c => c.status === "True" && c.message === "decides about 1 propagated object");
    await condition(policy, "Conflict", c => c.status === "False");

    await eventually("a weaker word is warned of", async () => {
      const weaker = JSON.stringify({ spec: { cascadeDeletion: "background" } });
      const patch = ["-n", shop.namespace, "patch", "cdp", "keep", "--type=merge", "--dry-run=server", "-p", weaker];
      const [warning] = warningsIn(await kubectl("host", patch));
      return warning === "spec.cascadeDeletion: background now; the copies of 1 template go when these are deleted";
    });

    const gone = await remove("host", "cdp", "keep", shop.namespace);
    expect(warningsIn(gone)).toEqual([
      `CascadeDeletionPolicy ${shop.namespace}/keep: changes no decision; orphan stays on record for 1 template`,
    ]);
    await absent("host", policy);
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before);
  });

  it("gives its word although it and the template are deleted at once", async () => {
    const shop = await openShop("cdp-once");
    const before = await shop.settle({ replicas: 0 });
    await applied("host", keep(shop));
    const target = { kind: "CascadeDeletionPolicy", namespace: shop.namespace, name: "keep" };
    await Promise.all([shop.host.delete(target), shop.host.delete(shop.web), shop.host.delete(shop.policy)]);

    await shop.gone();
    await shop.released(before);
    await absent("host", keep(shop));
  });

  it("gives its word although its whole namespace is deleted", async () => {
    const shop = await openShop("cdp-ns");
    const before = await shop.settle({ replicas: 0 });
    const policy = keep(shop);
    await applied("host", policy);
    await present("host", policy, counts(1));
    await remove("host", "namespace", shop.namespace);

    await shop.gone(30_000);
    await shop.released(before);
    await absent("host", policy);
    await absent("host", { apiVersion: "v1", kind: "Namespace", metadata: { name: shop.namespace } }, 60_000);
  });

  it("gets its finalizer also when no webhook saw it", async () => {
    const ns = await freshNamespace();
    const policy = cascadePolicy(ns, "unseen", orphan());
    expect((await applyUnseen(policy)).code).toBe(0);
    await present("host", policy, o => (o.metadata.finalizers ?? []).includes(CASCADE_FINALIZER));
    await condition(policy, "Ready", c => c.status === "False" && c.reason === "NoMatch");
    await remove("host", "cdp", "unseen", ns);
    await absent("host", policy);
  });

  it("says which kind is not served", async () => {
    const policy = cascadePolicy(
      await freshNamespace(),
      "odd",
      orphan({ apiVersion: "example.test/v1", kind: "Gizmo" }),
    );
    await applied("host", policy);
    await condition(policy, "Ready", c => c.reason === "UnknownKind" && c.message.includes("example.test/v1 Gizmo"));
  });

  it("says what outranks it", async () => {
    const shop = await openShop("cdp-rank");
    await shop.settle({ replicas: 0 });
    const broad = cascadePolicy(shop.namespace, "broad", background(ALL));
    await applied("host", keep(shop), broad);
    const says = `Deployment ${shop.namespace}/web is selected, but CascadeDeletionPolicy ${shop.namespace}/keep decides`;
    await condition(broad, "Ready", c => c.reason === "NoMatch" && c.message.startsWith(says));
    await present("host", keep(shop), counts(1));
    await condition(broad, "Conflict", c => c.status === "False");
  });
});

describe("two policies that disagree", () => {
  it("are told so at the door and in both statuses, and keep wins", async () => {
    const shop = await openShop("cdp-two");
    const before = await shop.settle({ replicas: 0 });
    const name = freshName("wide");
    onTestFinished(async () => void (await remove("host", "ccdp", name)));
    const wide = cascadePolicy(undefined, name, background({ ...WEB, namespace: shop.namespace }));
    await applied("host", keep(shop));
    await present("host", keep(shop), counts(1));

    const said = await applied("host", wide);
    expect(warningsIn(said)).toEqual([
      `CascadeDeletionPolicy ${shop.namespace}/keep says orphan about Deployment web; the word that keeps more wins`,
    ]);
    const where = `Deployment ${shop.namespace}/web in member1`;
    await condition(
      keep(shop),
      "Conflict",
      c =>
        c.status === "True" &&
        c.message.startsWith(
          `${where}: ClusterCascadeDeletionPolicy ${name} says otherwise; orphan of this policy holds`,
        ),
    );
    await condition(
      wide,
      "Conflict",
      c =>
        c.status === "True" &&
        c.message.startsWith(`${where}: CascadeDeletionPolicy ${shop.namespace}/keep says orphan and holds`),
    );
    await shop.host.delete(shop.web);
    await shop.gone();
    await shop.released(before);
  });
});
