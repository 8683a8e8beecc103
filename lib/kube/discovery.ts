// Which kinds an API server serves, and under which names.
import type { KubeClient } from "./client.js";
import { KubeError } from "./errors.js";
import { apiVersionOf, type ApiResource } from "./resource.js";

/** A served kind with what can be done to it. */
export interface ServedResource extends ApiResource {
  readonly verbs: readonly string[];
  /** Such as `status`, `scale`. */
  readonly subresources: readonly string[];
  /** What people may call it beside its plural: `deployment`, `deploy`. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Groups of kinds, such as `all`. */
  readonly categories?: readonly string[];
}

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: string;
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[];
}

interface AggregatedList {
  readonly kind: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly AggregatedVersion[];
  }[];
  readonly versions?: readonly string[];
  readonly groups?: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** All served kinds. `complete` is false when an aggregated API server behind it did not answer. */
export interface Served {
  readonly resources: readonly ServedResource[];
  readonly complete: boolean;
}

/** Asks the server; two requests where it knows aggregated discovery (1.27), one per group version elsewhere. */
export async function discover(client: KubeClient): Promise<Served> {
  const [core, groups] = await Promise.all([ask(client, "/api"), ask(client, "/apis")]);
  if (core.kind === "APIGroupDiscoveryList" && groups.kind === "APIGroupDiscoveryList") {
    const lists = [fromAggregated(core), fromAggregated(groups)];
    return { resources: lists.flatMap(l => l.resources), complete: lists.every(l => l.complete) };
  }
  const paths = [
    ...(core.versions ?? []).map(v => `/api/${v}`),
    ...(groups.groups ?? []).flatMap(g => g.versions.map(v => `/apis/${v.groupVersion}`)),
  ];
  return oneByOne(client, paths);
}

const ask = (client: KubeClient, path: string): Promise<AggregatedList> =>
  client.request<AggregatedList>("GET", path, { accept: AGGREGATED });

function fromAggregated({ items = [] }: AggregatedList): Served {
  const versions = items.flatMap(item =>
    (item.versions ?? []).map(version => ({ group: item.metadata?.name ?? "", version })),
  );
  return {
    resources: versions.flatMap(({ group, version }) => resourcesOf(group, version)),
    complete: versions.every(({ version }) => version.freshness !== "Stale"),
  };
}

function resourcesOf(group: string, { version, resources = [] }: AggregatedVersion): ServedResource[] {
  return resources.map(item => ({
    group,
    version,
    kind: item.responseKind?.kind ?? "",
    plural: item.resource,
    namespaced: item.scope === "Namespaced",
    verbs: item.verbs,
    subresources: (item.subresources ?? []).map(s => s.subresource),
    ...calledAlso(item.singularResource, item),
  }));
}

async function oneByOne(client: KubeClient, paths: readonly string[]): Promise<Served> {
  let complete = true;
  const lists = await Promise.all(
    paths.map(async path => {
      try {
        return fromResourceList(await client.request<ResourceList>("GET", path));
      } catch (error) {
        // One broken aggregated API must not hide all others.
        if (!(error instanceof KubeError) || error.status === 0) throw error;
        complete = false;
        return [];
      }
    }),
  );
  return { resources: lists.flat(), complete };
}

function fromResourceList({ groupVersion, resources }: ResourceList): ServedResource[] {
  const slash = groupVersion.indexOf("/");
  const group = slash < 0 ? "" : groupVersion.slice(0, slash);
  const version = groupVersion.slice(slash + 1);
  const plain = resources.filter(r => !r.name.includes("/"));
  return plain.map(r => ({
    group,
    version,
    kind: r.kind,
    plural: r.name,
    namespaced: r.namespaced,
    verbs: r.verbs,
    subresources: resources.filter(s => s.name.startsWith(`${r.name}/`)).map(s => s.name.slice(r.name.length + 1)),
    ...calledAlso(r.singularName, r),
  }));
}

/** Only what there is: most kinds have no short name, and there are many kinds. */
function calledAlso(
  singular: string | undefined,
  { shortNames, categories }: Pick<ServedResource, "shortNames" | "categories">,
): Pick<ServedResource, "singular" | "shortNames" | "categories"> {
  return { ...(singular && { singular }), ...(shortNames && { shortNames }), ...(categories && { categories }) };
}

/** The kinds of one API server, as last asked. */
export class Discovery {
  #byKind = new Map<string, ServedResource>();
  #pending: Promise<Served> | undefined;
  served: Served = { resources: [], complete: false };
  /** False until the server has answered once: an unknown kind means nothing before that. */
  known = false;

  constructor(readonly client: KubeClient) {}

  /** Asks anew; callers at the same time share one answer. Returns whether the set of kinds changed. */
  async refresh(): Promise<boolean> {
    const before = fingerprint(this.served);
    this.#pending ??= discover(this.client).finally(() => (this.#pending = undefined));
    const served = await this.#pending;
    this.take(served);
    return fingerprint(served) !== before;
  }

  /** Takes an answer in. */
  take(served: Served): void {
    this.served = served;
    this.known = true;
    this.#byKind = new Map(served.resources.map(r => [`${apiVersionOf(r)}/${r.kind}`, r]));
  }

  /** The resource behind `apps/v1` + `Deployment`, or `undefined` when the server does not serve it. */
  find(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }
}

function fingerprint({ resources }: Served): string {
  return resources
    .map(r => `${apiVersionOf(r)}/${r.plural}`)
    .sort()
    .join(",");
}

/** One version of each kind that has these verbs; the group's preferred one comes first. */
export function onePerKind(resources: readonly ServedResource[], verbs: readonly string[]): ServedResource[] {
  const kinds = new Map<string, ServedResource>();
  for (const resource of resources) {
    const key = `${resource.group}/${resource.plural}`;
    if (verbs.every(verb => resource.verbs.includes(verb)) && !kinds.has(key)) kinds.set(key, resource);
  }
  return [...kinds.values()];
}
