// What goes into a support bundle, and where is it read?
import { KINDS } from "../../crds/kinds.js";
import type { KubeObject } from "../../crds/object.js";
import { HOST_KIND_CONFIG_MAP } from "../../lib/engine/host-kind.js";
import { LOG_LEVEL_CONFIG_MAP } from "../../lib/engine/log-level.js";
import { LEASES } from "../../lib/engine/lease-object.js";
import type { KubeClient, Query } from "../../lib/kube/client.js";
import { CONFIG_MAPS, PODS } from "../../lib/kube/kinds.js";
import { apiVersionOf, collectionPath, objectPath, type ApiResource } from "../../lib/kube/resource.js";
import { OPERATOR_SELECTOR } from "../operator/installation.js";
import {
  ADMISSION_POLICIES,
  ADMISSION_POLICY_BINDINGS,
  DEPLOYMENTS,
  EVENTS,
  MUTATING_WEBHOOKS,
  VALIDATING_WEBHOOKS,
} from "../operator/kinds.js";
import { yamlOf } from "../output/format.js";
import { redacted } from "./redact.js";

/** One file of the bundle, before it is read. */
export interface Source {
  readonly path: string;
  /** @throws what keeps it from being read */
  readonly read: (signal: AbortSignal) => Promise<string>;
}

/** Of one kind: more would say no more, and take too long. */
const MAX_OBJECTS = 2_000;
const PAGE = 250;
/** Of one container. */
const LOG_LINES = 5_000;
const LOG_BYTES = 2_000_000;
const METRICS_PORT = 9_090;

interface Page {
  readonly items?: readonly KubeObject[];
  readonly metadata: { readonly continue?: string };
}

/** Our own kinds, and what the operator is made of on the host. No Secret is read. */
export function objectSources(client: KubeClient, namespace: string): Source[] {
  const own = KINDS.map(kind => ({ ...kind, namespaced: kind.scope === "Namespaced" }));
  const ofOperator = { labelSelector: OPERATOR_SELECTOR };
  const named = (name: string): Query => ({ fieldSelector: `metadata.name=${name}` });
  const list = (folder: string, resource: ApiResource, query: Query = {}, where?: string): Source => ({
    path: `${folder}/${resource.plural}.yaml`,
    read: signal => listed(client, resource, { query, where }, signal),
  });
  return [
    ...own.map(kind => list(kind.group, kind)),
    list("operator", DEPLOYMENTS, ofOperator, namespace),
    list("operator", PODS, ofOperator, namespace),
    list("operator", LEASES, {}, namespace),
    list("operator", MUTATING_WEBHOOKS, named("holdfast")),
    list("operator", VALIDATING_WEBHOOKS, named("holdfast")),
    list("operator", ADMISSION_POLICIES, ofOperator),
    list("operator", ADMISSION_POLICY_BINDINGS, ofOperator),
    list("operator/log-level", CONFIG_MAPS, named(LOG_LEVEL_CONFIG_MAP), namespace),
    list("operator/host", CONFIG_MAPS, named(HOST_KIND_CONFIG_MAP), namespace),
    list("operator/events", EVENTS, {}, namespace),
    list("events", EVENTS, { fieldSelector: "reportingController=holdfast.dev/holdfast" }),
  ];
}

interface Place {
  readonly query: Query;
  readonly where?: string;
}

async function listed(client: KubeClient, resource: ApiResource, place: Place, signal: AbortSignal): Promise<string> {
  const { query, where } = place;
  const texts: string[] = [];
  let next: string | undefined;
  do {
    const page: Page = await client.request("GET", collectionPath(resource, where), {
      query: { ...query, limit: PAGE, continue: next },
      signal,
    });
    // Each is small once its content is out; whole, thousands of Works would not fit into memory.
    for (const item of page.items ?? [])
      texts.push(yamlOf(redacted({ ...item, apiVersion: apiVersionOf(resource), kind: resource.kind })));
    next = page.metadata.continue || undefined;
  } while (next && texts.length < MAX_OBJECTS);
  const more = next ? [`# there are more than ${MAX_OBJECTS}; the rest is left out\n`] : [];
  return texts.length === 0 ? "# none\n" : [...texts, ...more].join("---\n");
}

/** Logs and metrics of the operator's pods; empty where it runs beside the cluster. @throws KubeError */
export async function podSources(client: KubeClient, namespace: string, signal: AbortSignal): Promise<Source[]> {
  const query = { labelSelector: OPERATOR_SELECTOR };
  const { items = [] } = await client.request<Page>("GET", collectionPath(PODS, namespace), { query, signal });
  return items.flatMap(pod => sourcesOfPod(client, pod));
}

function sourcesOfPod(client: KubeClient, { metadata, spec, status }: KubeObject): Source[] {
  const text = (path: string, query: Query) => (signal: AbortSignal) =>
    client.request<string | object>("GET", path, { query, signal, accept: "*/*" }).then(answer => asText(answer));
  const logOf = (container: string, previous: boolean) => async (signal: AbortSignal) => {
    // Where a limit is reached it is the newest lines that are cut off: it is far away, and the oldest are left out here.
    const bounds = { tailLines: LOG_LINES, limitBytes: 10 * LOG_BYTES };
    const query = { container, ...bounds, ...(previous ? { previous } : {}) };
    return (await text(objectPath(PODS, metadata, "log"), query)(signal)).slice(-LOG_BYTES);
  };
  const metrics = `${collectionPath(PODS, metadata.namespace)}/${metadata.name}:${METRICS_PORT}/proxy/metrics`;
  const short = metadata.name.slice(-45);
  const containers = ((spec ?? {}) as { containers?: readonly { name: string }[] }).containers ?? [];
  const logs = containers.flatMap(({ name }) => {
    const path = `logs/${short}.${name.slice(-25)}`;
    const now = { path: `${path}.log`, read: logOf(name, false) };
    return hasRestarted(status, name) ? [now, { path: `${path}.previous.log`, read: logOf(name, true) }] : [now];
  });
  return [...logs, { path: `metrics/${short}.txt`, read: text(metrics, {}) }];
}

interface ContainerState {
  readonly name: string;
  readonly restartCount?: number;
}

/** A log of one line of JSON is parsed on its way. */
function asText(answer: string | object): string {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

function hasRestarted(status: unknown, container: string): boolean {
  const { containerStatuses = [] } = (status ?? {}) as { containerStatuses?: readonly ContainerState[] };
  return containerStatuses.some(({ name, restartCount = 0 }) => name === container && restartCount > 0);
}
