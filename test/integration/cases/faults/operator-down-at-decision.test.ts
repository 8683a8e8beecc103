// Is the right decision taken about templates that were deleted while the operator was down?
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { LET_GO_FINALIZER } from "../../../../lib/domain/marks.js";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import { aMoment, deleteAndWait, type Shop } from "../../support/shop.js";

const RUNS = 20;
const clusters = breakable();

type Uids = Awaited<ReturnType<Shop["uids"]>>;

/** One shop: what happens to it while the operator is down, and what must have become of its copies. */
interface Story {
  readonly name: string;
  readonly preserve?: boolean;
  readonly whileDown: (shop: Shop) => Promise<void>;
  /** After the operator is back. */
  readonly then?: (shop: Shop) => Promise<void>;
  readonly kept: boolean;
}

const flipAndDelete = async (shop: Shop): Promise<void> => {
  await shop.preserve(true);
  await shop.host.delete(shop.web);
};

const NOTE = "resourcetemplate.karmada.io/cascadedeletion";
const note = (shop: Shop, value: string) => shop.host.patch(shop.web, { metadata: { annotations: { [NOTE]: value } } });
const keepRule = (shop: Shop) =>
  shop.host.applyObject({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name: "keep", namespace: shop.namespace },
    spec: {
      cascadeDeletion: "orphan",
      resourceSelectors: [
        { apiVersion: "apps/v1", kind: "Deployment", labelSelector: { matchLabels: { app: "web" } } },
      ],
    },
  });

const stories: readonly Story[] = [
  {
    name: "note",
    async whileDown(shop) {
      await note(shop, "orphan");
      await shop.host.delete(shop.web);
      await note(shop, "background");
    },
    kept: true,
  },
  {
    name: "note-after",
    preserve: true,
    async whileDown(shop) {
      await note(shop, "background");
      await shop.host.delete(shop.web);
      await note(shop, "orphan");
    },
    kept: false,
  },
  {
    name: "rule",
    async whileDown(shop) {
      await keepRule(shop);
      await shop.host.delete(shop.web);
      await shop.host.delete({ kind: "CascadeDeletionPolicy", namespace: shop.namespace, name: "keep" });
    },
    kept: true,
  },
  {
    name: "rule-after",
    async whileDown(shop) {
      await shop.host.delete(shop.web);
      await keepRule(shop);
    },
    kept: false,
  },
  {
    name: "wrong-owner",
    preserve: true,
    async whileDown(shop) {
      await shop.preserve(false);
      const owner = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        name: "web",
        uid: "00000000-0000-0000-0000-000000000000",
      };
      await shop.host.patch(shop.binding, { metadata: { ownerReferences: [owner] } });
      await shop.host.delete(shop.web);
    },
    kept: false,
  },
  ...Array.from({ length: RUNS }, (_, n) => ({ name: `flip-${n}`, whileDown: flipAndDelete, kept: true })),
  {
    name: "flip-back",
    async whileDown(shop) {
      await flipAndDelete(shop);
      await shop.preserve(false);
    },
    kept: true,
  },
  {
    name: "flip-back-touched",
    async whileDown(shop) {
      await aMoment(1_100);
      await flipAndDelete(shop);
      await aMoment(1_100);
      await shop.preserve(null);
      await shop.host.patch(shop.web, { metadata: { annotations: { touched: "later" } } });
    },
    kept: true,
  },
  {
    name: "off-then-on",
    preserve: true,
    async whileDown(shop) {
      await shop.preserve(false);
      await shop.host.delete(shop.web);
      await shop.preserve(true);
    },
    kept: false,
  },
  {
    name: "with-policy",
    async whileDown(shop) {
      await shop.preserve(true);
      await Promise.all([shop.host.delete(shop.policy), shop.host.delete(shop.web)]);
    },
    kept: true,
  },
  {
    name: "with-policy-gone",
    async whileDown(shop) {
      await Promise.all([shop.host.delete(shop.policy), shop.host.delete(shop.web)]);
    },
    kept: false,
  },
  {
    name: "orphan",
    whileDown: shop => shop.host.delete(shop.web, { propagation: "Orphan" }),
    kept: true,
  },
  {
    name: "forced",
    async whileDown(shop) {
      await shop.preserve(true);
      const others = ((await shop.template())?.metadata.finalizers ?? []).filter(f => f !== LET_GO_FINALIZER);
      await shop.host.patch(shop.web, { metadata: { finalizers: others } });
      await deleteAndWait(shop.host, shop.web);
    },
    kept: true,
  },
  {
    name: "last-word",
    async whileDown(shop) {
      await shop.preserve(true);
      await shop.host.delete(shop.policy);
    },
    async then(shop) {
      await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
      await shop.host.delete(shop.binding);
      await shop.host.delete(shop.web);
    },
    kept: true,
  },
  {
    name: "binding-too",
    async whileDown(shop) {
      await shop.preserve(true);
      await Promise.all([shop.binding, shop.web].map(target => shop.host.delete(target)));
    },
    kept: true,
  },
  {
    name: "works-too",
    preserve: true,
    async whileDown(shop) {
      const works = (await shop.works()).map(w => ({ kind: "Work", ...w.metadata }));
      await Promise.all([shop.binding, ...works, shop.policy, shop.web].map(target => shop.host.delete(target)));
    },
    kept: true,
  },
  {
    name: "unselected",
    preserve: true,
    async whileDown(shop) {
      const resourceSelectors = [{ apiVersion: "apps/v1", kind: "Deployment", name: "another" }];
      await shop.host.patch(shop.policy, { spec: { resourceSelectors, preserveResourcesOnDeletion: false } });
    },
    async then(shop) {
      await eventually("the template is free", async () => {
        const labels = (await shop.template())?.metadata.labels ?? {};
        return labels["propagationpolicy.karmada.io/permanent-id"] === undefined;
      });
      await shop.host.delete(shop.web);
    },
    kept: true,
  },
];

async function outcome({ kept, name }: Story, shop: Shop, before: Uids): Promise<string | undefined> {
  try {
    await shop.gone(75_000);
    if (kept) await shop.released(before);
    else await shop.deletedIn("member1", "member2");
    return undefined;
  } catch (error) {
    return `${name}: ${String(error)}`;
  }
}

/** Forgets the host's history, as its API server does every five minutes. */
async function compactHistory(): Promise<void> {
  const { processes } = JSON.parse(readFileSync(join(clusters.env().dir, "state.json"), "utf8")) as {
    readonly processes: { readonly etcd: { readonly probe: { readonly url: string } } };
  };
  const { origin } = new URL(processes.etcd.probe.url);
  const ask = async (path: string, body: unknown): Promise<{ header?: { revision?: string } }> => {
    const answer = await fetch(`${origin}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { header?: { revision?: string } };
  };
  const { header } = await ask("range", { key: Buffer.from("/none").toString("base64") });
  await ask("compaction", { revision: header?.revision, physical: true });
}

describe("deleted while the operator was down", () => {
  it("is kept or deleted as it stood at that moment", async () => {
    const shops = await Promise.all(
      stories.map(async story => ({ story, shop: await clusters.openShop(`down-${story.name}`) })),
    );
    const settled = await Promise.all(
      shops.map(async ({ story, shop }) => ({ story, shop, before: await shop.settle({ ...story, replicas: 0 }) })),
    );
    // The reports about the policies are on their way for some seconds.
    await aMoment(6_000);

    await clusters.kill("watcher");
    await Promise.all(settled.map(({ story, shop }) => story.whileDown(shop)));
    await clusters.start("watcher");
    await Promise.all(settled.map(({ story, shop }) => story.then?.(shop)));

    const wrong = await Promise.all(settled.map(({ story, shop, before }) => outcome(story, shop, before)));
    const found = wrong.filter(line => line !== undefined);
    if (found.length > 0) throw new Error(found.join("\n"));
  });

  it("is kept when that moment is past reading, and the policy may have said so", async () => {
    const names = ["flip-back", "unedited-policy-gone", "unedited"] as const;
    const [flipped, withPolicy, plain] = await Promise.all(names.map(name => clusters.openShop(`past-${name}`)));
    if (!flipped || !withPolicy || !plain) throw new Error("three shops");
    const [before] = await Promise.all([flipped, withPolicy, plain].map(shop => shop.settle({ replicas: 0 })));
    await aMoment(6_000);

    await clusters.kill("watcher");
    await flipAndDelete(flipped);
    await flipped.preserve(false);
    await withPolicy.host.delete(withPolicy.web);
    await withPolicy.host.delete(withPolicy.policy);
    await plain.host.delete(plain.web);
    await compactHistory();
    await clusters.start("watcher");

    await Promise.all([flipped, withPolicy, plain].map(shop => shop.gone(75_000)));
    if (before) await flipped.released(before);
    // Nobody touched these policies' words: there is nothing to doubt.
    await withPolicy.deletedIn("member1", "member2");
    await plain.deletedIn("member1", "member2");
  });
});
