// Which requests has an API server answered, and which of them are the product's?

/** Requests by `VERB|group|resource|subresource|code`. */
export type Counts = ReadonlyMap<string, number>;

/** What was asked of one API server between two moments. */
export interface Requests {
  /** All but LIST and WATCH. */
  readonly total: number;
  /** All but LIST, WATCH and what happens also when nothing changes: leases and probes. */
  readonly work: number;
  readonly writes: number;
  readonly lists: number;
  readonly watches: number;
  /** By `VERB resource.group/subresource`, largest first; without watches. */
  readonly by: Readonly<Record<string, number>>;
  /** Answers that were not 2xx, by code; LIST and WATCH apart. */
  readonly refused: Readonly<Record<string, number>>;
}

/** One key of the counts. */
export interface RequestKind {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly code: string;
}

const METRIC = "apiserver_request_total{";
const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);
const LISTS: ReadonlySet<string> = new Set(["LIST", "WATCHLIST"]);
const WATCHES: ReadonlySet<string> = new Set(["WATCH", "CONNECT"]);

/** Reads apiserver_request_total from Prometheus text; other labels (version, scope, dry_run) are summed up. */
export function parseRequestTotal(text: string): Counts {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (!line.startsWith(METRIC)) continue;
    const end = line.lastIndexOf("}");
    const labels = Object.fromEntries(
      [...line.slice(METRIC.length, end).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]),
    );
    const key = keyOf({
      verb: labels["verb"] ?? "",
      group: labels["group"] ?? "",
      resource: labels["resource"] ?? "",
      subresource: labels["subresource"] ?? "",
      code: labels["code"] ?? "",
    });
    counts.set(key, (counts.get(key) ?? 0) + Number(line.slice(end + 1)));
  }
  return counts;
}

/** The key of one kind of request. */
export function keyOf({ verb, group, resource, subresource, code }: RequestKind): string {
  return [verb, group, resource, subresource, code].join("|");
}

/**
 * How an API server counts a request that is sent to it.
 * @param path with or without query; a list has to be told by its verb, LIST.
 */
export function kindOfRequest(verb: string, path: string, code: number): RequestKind {
  const plain = path.split("?")[0] ?? "";
  const match =
    /^\/(?:api\/[^/]+|apis\/([^/]+)\/[^/]+)\/(?:namespaces\/[^/]+\/(?=[^/]))?([^/]+)(?:\/[^/]+)?(?:\/(.+))?$/.exec(
      plain,
    );
  const [, group = "", resource = "", subresource = ""] = match ?? [];
  return { verb, group, resource, subresource: match ? subresource : plain, code: String(code) };
}

/** What both `after` and not yet `before` count; negative where `after` has less. */
export function minus(after: Counts, before: Counts): Counts {
  const keys = new Set([...after.keys(), ...before.keys()]);
  const pairs = [...keys].map(key => [key, (after.get(key) ?? 0) - (before.get(key) ?? 0)] as const);
  return new Map(pairs.filter(([, count]) => count !== 0));
}

/** Sums up what was asked. */
export function summarize(counts: Counts): Requests {
  const by = new Map<string, number>();
  const refused = new Map<string, number>();
  const sums = { total: 0, work: 0, writes: 0, lists: 0, watches: 0 };
  for (const [key, count] of counts) {
    const kind = kindFrom(key);
    for (const sum of sumsOf(kind)) sums[sum] += count;
    if (WATCHES.has(kind.verb)) continue;
    add(by, nameOf(kind), count);
    if (!LISTS.has(kind.verb) && !kind.code.startsWith("2")) add(refused, kind.code, count);
  }
  return { ...sums, by: largestFirst(by), refused: largestFirst(refused) };
}

/** Writes by which a phase is known to go on: leases and the state of clusters change whatever is measured. */
export function trailingWrites(counts: Counts): number {
  const trailing = [...counts].filter(([key]) => {
    const kind = kindFrom(key);
    return WRITES.has(kind.verb) && isWork(kind) && kind.resource !== "clusters";
  });
  return trailing.reduce((sum, [, count]) => sum + count, 0);
}

type Sum = "total" | "work" | "writes" | "lists" | "watches";

function sumsOf(kind: RequestKind): Sum[] {
  if (WATCHES.has(kind.verb)) return ["watches"];
  if (LISTS.has(kind.verb)) return ["lists"];
  const sums: Sum[] = ["total"];
  if (isWork(kind)) sums.push("work");
  if (WRITES.has(kind.verb)) sums.push("writes");
  return sums;
}

/** Leases are renewed, and health and versions are asked for, whatever happens. */
function isWork({ resource }: RequestKind): boolean {
  return resource !== "" && resource !== "leases";
}

function kindFrom(key: string): RequestKind {
  const [verb = "", group = "", resource = "", subresource = "", code = ""] = key.split("|");
  return { verb, group, resource, subresource, code };
}

function nameOf({ verb, group, resource, subresource }: RequestKind): string {
  if (!resource) return `${verb} ${subresource || "(no resource)"}`;
  return `${verb} ${resource}${group ? `.${group}` : ""}${subresource ? `/${subresource}` : ""}`;
}

function add(map: Map<string, number>, key: string, count: number): void {
  map.set(key, (map.get(key) ?? 0) + count);
}

function largestFirst(map: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...map].filter(([, count]) => count !== 0).sort(([, a], [, b]) => b - a));
}
