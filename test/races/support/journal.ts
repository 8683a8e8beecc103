// What was seen of every app, in the members and on the host, whoever did it?
import type { Env } from "../../../hack/clusters/state.js";
import type { KubeObject } from "../../../crds/object.js";
import type { Work } from "../../../crds/work.js";
import { CASCADE_DELETION_ANNOTATION, CPP_ID_LABEL, ORDER_ANNOTATION, PP_ID_LABEL } from "../../../lib/domain/marks.js";
import { clusterOfExecutionNamespace } from "../../../lib/domain/names.js";
import type { AnyBinding } from "../../../lib/kube/host.js";
import * as kinds from "../../../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../../../lib/kube/resource.js";
import { isMarked } from "../../integration/support/shop.js";
import { Site } from "../../integration/support/site.js";
import { MEMBERS, type Cascade, type Member } from "../model/commands.js";
import type { Accepted, Change } from "../model/history.js";
import type { Copy, Remains } from "../model/verdict.js";
import { PREFIX, TEMPLATES } from "./objects.js";
import { watchKind, type Sight, type Watch } from "./watch.js";

const ON_HOST: readonly ApiResource[] = [
  ...Object.values(TEMPLATES),
  kinds.PROPAGATION_POLICIES,
  kinds.CLUSTER_PROPAGATION_POLICIES,
  kinds.CASCADE_DELETION_POLICIES,
  kinds.CLUSTER_CASCADE_DELETION_POLICIES,
  kinds.RESOURCE_BINDINGS,
  kinds.CLUSTER_RESOURCE_BINDINGS,
  kinds.WORKS,
  kinds.NAMESPACES,
];

/** Everything that was seen of one app. */
export interface Page {
  readonly copies: Map<string, Copy>;
  /** What is on the host now, by kind and uid. */
  readonly host: Map<string, KubeObject>;
  readonly changes: Accepted[];
  readonly lines: Line[];
}

/** One line of the report. */
export interface Line {
  readonly ms: number;
  readonly text: string;
}

/** Watches a host and its members as long as they run. */
export class Journal {
  readonly #pages = new Map<string, Page>();
  readonly #watches: Watch[] = [];
  readonly #sites: Site[] = [];

  constructor(readonly env: Env) {}

  async start(): Promise<void> {
    const host = this.#open("host");
    for (const resource of ON_HOST) this.#watch(host, resource, sight => this.#onHost(sight));
    for (const member of MEMBERS) {
      const site = this.#open(member);
      for (const resource of Object.values(TEMPLATES)) {
        this.#watch(site, resource, sight => this.#onMember(member, sight));
      }
    }
    await Promise.all(this.#watches.map(({ synced }) => synced));
  }

  async end(): Promise<void> {
    await Promise.all(this.#watches.map(watch => watch.end()));
    await Promise.all(this.#sites.map(site => site.close()));
  }

  page(name: string): Page {
    const known = this.#pages.get(name);
    if (known) return known;
    const page: Page = { copies: new Map(), host: new Map(), changes: [], lines: [] };
    this.#pages.set(name, page);
    return page;
  }

  remains(name: string): Remains {
    const objects = [...this.page(name).host.values()];
    const works = objects.filter(object => object.kind === "Work");
    return {
      leaving: objects.filter(isLeaving).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      works: works.map(memberOf),
      bindings: objects.filter(({ kind }) => kind.endsWith("ResourceBinding")).length,
    };
  }

  #open(name: string): Site {
    const site = Site.of(this.env, name);
    this.#sites.push(site);
    return site;
  }

  #watch(site: Site, resource: ApiResource, tell: (sight: Sight) => void): void {
    const identity = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    const source = new ResourceClient(site.client, resource);
    this.#watches.push(watchKind(source, sight => tell({ ...sight, object: { ...sight.object, ...identity } })));
  }

  #onMember(member: Member, { object, gone, exact }: Sight): void {
    const name = appOf(object);
    if (!name) return;
    const { copies, lines } = this.page(name);
    const { uid = "", creationTimestamp = "" } = object.metadata;
    const at = revisionOf(object);
    const before = copies.get(uid);
    const marked = isMarked(object);
    const first = before ?? { member, uid, firstAt: at, createdMs: Date.parse(creationTimestamp) };
    copies.set(uid, { ...first, marked, ...(gone ? { gone: exact ? at : Infinity } : {}) });
    const what = gone ? "GONE" : `seen${marked ? ", marked" : ""}${isLeaving(object) ? ", Terminating" : ""}`;
    lines.push(line(`${member} ${object.kind} ${uid.slice(0, 8)} ${what}`, at));
  }

  #onHost({ object, gone, exact }: Sight): void {
    const name = appOf(object);
    if (!name) return;
    const { host, changes, lines } = this.page(name);
    const key = `${object.kind} ${object.metadata.uid}`;
    const before = host.get(key);
    const at = revisionOf(object);
    const from = exact ? at : before ? revisionOf(before) + 1 : 0;
    for (const change of changesIn(before, object, gone)) changes.push({ from, at, ms: Date.now(), change });
    if (gone) host.delete(key);
    else host.set(key, object);
    lines.push(line(`host ${object.kind} ${object.metadata.name} ${gone ? "GONE" : wordsAbout(object)}`, at));
  }
}

/** What a sight of a host's object says that our own commands may not have said. */
function changesIn(before: KubeObject | undefined, object: KubeObject, gone: boolean): Change[] {
  const wasLeaving = before !== undefined && isLeaving(before);
  const leaves = (gone || isLeaving(object)) && !wasLeaving;
  if (object.kind in TEMPLATES) return templateChanges(object, gone || isLeaving(object), leaves);
  const id = claimIn(object);
  if (object.kind.endsWith("PropagationPolicy") && leaves && id) return [{ type: "policy-leaving", id }];
  return [];
}

function templateChanges(object: KubeObject, isOver: boolean, leaves: boolean): Change[] {
  const { uid = "", annotations = {}, finalizers = [] } = object.metadata;
  const claim = claimIn(object);
  if (!isOver) return claim ? [{ type: "claim", uid, id: claim }] : [];
  if (!leaves) return [];
  const cascade = annotations[CASCADE_DELETION_ANNOTATION] as Cascade | undefined;
  return [{ type: "template-leaving", uid, orphan: finalizers.includes("orphan"), claim, cascade }];
}

/** The permanent id that a policy has, and that a template's marks name. */
export function claimIn({ metadata: { labels = {} } }: Pick<KubeObject, "metadata">): string | undefined {
  return labels[PP_ID_LABEL] ?? labels[CPP_ID_LABEL];
}

/** The app that an object is about; Works and bindings say it in their spec. */
function appOf(object: KubeObject): string | undefined {
  if (object.metadata.name === "kube-root-ca.crt") return undefined;
  const { namespace, name } = subjectOf(object);
  const app = (namespace ?? name).replace(/-rule-[ab]$/, "");
  return app.startsWith(PREFIX) ? app : undefined;
}

function subjectOf(object: KubeObject): { readonly namespace?: string; readonly name: string } {
  if (object.kind === "Work") return (object as Work).spec.workload?.manifests?.[0]?.metadata ?? object.metadata;
  if (object.kind === "ClusterResourceBinding") return (object as AnyBinding).spec.resource;
  return object.metadata;
}

const memberOf = ({ metadata }: KubeObject): Member =>
  clusterOfExecutionNamespace(metadata.namespace ?? "") === "member1" ? "member1" : "member2";

function wordsAbout({ metadata, spec }: KubeObject): string {
  const { preserveResourcesOnDeletion, cascadeDeletion, clusterDeletion } = (spec ?? {}) as Record<string, unknown>;
  const order = metadata.annotations?.[ORDER_ANNOTATION];
  const words = Array.isArray(clusterDeletion) ? clusterDeletion.map(wordOfCluster) : undefined;
  const claim = claimIn({ metadata })?.slice(0, 8);
  const said = { preserve: preserveResourcesOnDeletion, cascade: cascadeDeletion, words, claim, order };
  return `${metadata.namespace?.startsWith("karmada-es-") ? metadata.namespace.slice(11) : ""} ${metadata.deletionTimestamp ? "Terminating " : ""}${(metadata.finalizers ?? []).join(",")} ${JSON.stringify(said)}`;
}

function wordOfCluster({ name, cascadeDeletion, decidedBy }: Readonly<Record<string, string>>): string {
  return `${name}: ${cascadeDeletion} (${decidedBy})`;
}

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);
const apiVersionOf = ({ group, version }: ApiResource): string => (group ? `${group}/${version}` : version);
const line = (text: string, at: number): Line => ({ ms: Date.now(), text: `@${at} ${text}` });
