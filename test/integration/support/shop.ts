// What is the starting point of the cases: a Deployment under a policy, in a namespace of its own, in two members?
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ResourceBinding } from "../../../crds/resource-binding.js";
import type { KubeObject } from "../../../crds/object.js";
import type { Work } from "../../../crds/work.js";
import type { Env } from "../../../hack/clusters/state.js";
import { isNotFound } from "../../../lib/kube/errors.js";
import { eventually } from "./eventually.js";
import { Site, type Target } from "./site.js";

/** The members that every case has. */
export const MEMBERS = ["member1", "member2"] as const;
export type MemberName = (typeof MEMBERS)[number];

/** How a case differs from the ordinary one. */
export interface ShopOptions {
  /** `preserveResourcesOnDeletion` in the policy; absent means absent. */
  readonly preserve?: boolean;
  /** More lines of the policy's spec, as YAML without indentation. */
  readonly policySpec?: string;
  /** Labels and annotations of the template, as YAML in flow style. */
  readonly labels?: string;
  readonly annotations?: string;
  /** 2 unless said otherwise; none where the pods do not matter. */
  readonly replicas?: number;
  /** Where it goes; both members unless said otherwise. */
  readonly clusters?: readonly string[];
}

/** One namespace with one app. Everything in it goes when the test ends. */
export class Shop {
  readonly policy: Target;
  readonly web: Target;
  readonly binding: Target;

  constructor(
    readonly namespace: string,
    readonly host: Site,
    readonly members: Readonly<Record<MemberName, Site>>,
  ) {
    this.policy = { kind: "PropagationPolicy", namespace, name: "web-pp" };
    this.web = { kind: "Deployment", namespace, name: "web" };
    this.binding = { kind: "ResourceBinding", namespace, name: "web-deployment" };
  }

  /** A shop in running clusters, in a namespace that nobody else uses. */
  static async open(env: Env, name: string): Promise<Shop> {
    const [host, member1, member2] = ["host", ...MEMBERS].map(n => Site.of(env, n));
    if (!host || !member1 || !member2) throw new Error("a host and two members are needed");
    const namespace = `${name}-${randomUUID().slice(0, 6)}`;
    await host.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`);
    return new Shop(namespace, host, { member1, member2 });
  }

  /** First what we placed, then where it was: otherwise the operator would go on trying to put it into what leaves. */
  async close(): Promise<void> {
    const namespace = { kind: "Namespace", name: this.namespace };
    const everywhere = [this.host, ...Object.values(this.members)];
    for (const target of [this.web, this.policy]) await this.host.delete(target).catch(() => undefined);
    await this.gone(5_000).catch(() => undefined);
    await Promise.all(everywhere.map(site => site.delete(namespace).catch(() => undefined)));
    await Promise.all(everywhere.map(site => site.close()));
  }

  templateYaml({ labels = "{app: web}", annotations = "{}", replicas = 2 }: ShopOptions = {}): string {
    return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${this.namespace}, labels: ${labels}, annotations: ${annotations}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "registry.example/web:1.0"}]}
`;
  }

  policyYaml({ preserve, policySpec = "", clusters = MEMBERS }: ShopOptions = {}): string {
    return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web-pp, namespace: ${this.namespace}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement: {clusterAffinity: {clusterNames: [${clusters.join(", ")}]}}
${preserve === undefined ? "" : `  preserveResourcesOnDeletion: ${preserve}`}
${policySpec.replace(/^/gm, "  ")}
`;
  }

  /** An override that runs no replica in the first member. */
  zeroOverrideYaml(name = "zero-m1"): string {
    return `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: ${name}, namespace: ${this.namespace}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  overrideRules:
  - targetCluster: {clusterNames: [member1]}
    overriders: {plaintext: [{path: /spec/replicas, operator: replace, value: 0}]}
`;
  }

  /** Template and policy, until both are where they belong and all of it has been reported. */
  async settle(options: ShopOptions = {}): Promise<Readonly<Record<MemberName, string>>> {
    await this.host.apply(`${this.templateYaml(options)}---${this.policyYaml(options)}`);
    return this.settled(options.clusters);
  }

  /** Waits for the app in these members; returns the uids of its copies. */
  async settled(clusters: readonly string[] = MEMBERS): Promise<Readonly<Record<MemberName, string>>> {
    await eventually(
      `web is in ${clusters.join(" and ")}`,
      async () => {
        const copies = await Promise.all(MEMBERS.map(m => this.copy(m)));
        const there = MEMBERS.filter((_, i) => isMarked(copies[i]));
        return there.length === clusters.length && there.every(m => clusters.includes(m));
      },
      120_000,
    );
    await eventually(
      "the binding says that it is applied",
      async () => {
        const statuses = (await this.findBinding())?.status?.aggregatedStatus ?? [];
        return statuses.length === clusters.length && statuses.every(s => s.applied);
      },
      30_000,
    );
    return this.uids();
  }

  copy(member: MemberName): Promise<KubeObject | undefined> {
    return this.members[member].find(this.web);
  }

  /** What has become of a copy that had this uid. */
  async fate(member: MemberName, uid: string | undefined): Promise<"deleted" | "another" | "marked" | "kept"> {
    const copy = await this.copy(member);
    if (!copy) return "deleted";
    if (copy.metadata.uid !== uid) return "another";
    return isMarked(copy) ? "marked" : "kept";
  }

  /** The uids of the copies; empty where there is none. The best proof that nothing was deleted and made again. */
  async uids(): Promise<Readonly<Record<MemberName, string>>> {
    const [one, two] = await Promise.all(MEMBERS.map(m => this.copy(m)));
    return { member1: one?.metadata.uid ?? "", member2: two?.metadata.uid ?? "" };
  }

  /** The template, as it is now. */
  template(): Promise<KubeObject | undefined> {
    return this.host.find(this.web);
  }

  async findBinding(): Promise<ResourceBinding | undefined> {
    return (await this.host.find(this.binding)) as ResourceBinding | undefined;
  }

  /** The Works of this shop's namespace, in one member or in all. */
  async works(...members: readonly string[]): Promise<Work[]> {
    const lists = await Promise.all(
      (members.length > 0 ? members : MEMBERS).map(m => this.host.list("Work", `karmada-es-${m}`)),
    );
    return (lists.flat() as Work[]).filter(
      work => work.spec.workload?.manifests?.[0]?.metadata.namespace === this.namespace,
    );
  }

  preserve(value: boolean | null): Promise<KubeObject> {
    return this.host.patch(this.policy, { spec: { preserveResourcesOnDeletion: value } });
  }

  /** Nothing of ours is left on the host: no template, no binding, no Work. */
  gone(ceilingMs = 15_000): Promise<true> {
    return eventually(
      "template, binding and Works are gone",
      async () => !(await this.template()) && !(await this.findBinding()) && (await this.works()).length === 0,
      ceilingMs,
    );
  }

  /** Waits until the copies were let go of, and demands that they are the same objects as before. */
  async released(before: Readonly<Record<MemberName, string>>, members: readonly MemberName[] = MEMBERS) {
    for (const member of members) {
      await eventually(`${member} has let go`, async () => {
        const copy = await this.copy(member);
        if (!copy) throw new Error(`${member}: web is GONE`);
        return !isMarked(copy);
      });
      const uid = (await this.copy(member))?.metadata.uid;
      if (uid !== before[member]) throw new Error(`${member}: web was ${before[member]} and is ${uid}`);
    }
  }

  /** Waits until the copies are gone: within a minute of everything being reachable, which is what is promised. */
  deletedIn(...members: readonly MemberName[]): Promise<true> {
    return eventually(
      `web is gone from ${members.join(" and ")}`,
      async () => {
        const copies = await Promise.all(members.map(m => this.copy(m)));
        const left = copies.flatMap((copy, n) => (copy ? `${members[n]}: ${JSON.stringify(copy.metadata)}` : []));
        if (left.length > 0) throw new Error(`still there: ${left.join("; ")}`);
        return true;
      },
      60_000,
    );
  }
}

/** True while the object carries a mark of ours or of the API's older family in its metadata. */
export function isMarked(object: KubeObject | undefined): boolean {
  if (!object) return false;
  const { labels, annotations, finalizers, ownerReferences } = object.metadata;
  return /karmada|kubefed|pepr|holdfast/.test(JSON.stringify([labels, annotations, finalizers, ownerReferences]));
}

/** Deletes and waits for the end. */
export async function deleteAndWait(site: Site, target: Target, ceilingMs = 15_000): Promise<void> {
  await site.delete(target).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await eventually(
    `${target.kind} ${target.name} is gone from ${site.name}`,
    async () => !(await site.find(target)),
    ceilingMs,
  );
}

/** Lets what is in flight arrive. */
export const aMoment = (ms = 1_000): Promise<void> => sleep(ms);
