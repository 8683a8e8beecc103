// To which trace does a reconcile belong? All that one state of a template sets going, from the host into every member, is one trace.
import { createHash, randomBytes } from "node:crypto";
import { gvkOf } from "../../crds/object.js";
import {
  BINDING_GENERATION_ANNOTATION,
  CRB_NAME_ANNOTATION,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
} from "../domain/marks.js";
import { bindingName } from "../domain/names.js";
import { messageOf } from "../kube/errors.js";
import type { Host } from "../kube/host.js";
import { storeKey } from "../kube/store.js";
import { parseTemplateKey } from "../kube/templates.js";
import type { Config } from "./config.js";
import type { ReconcileFacts } from "./controller-metrics.js";
import type { Logger } from "./log.js";
import type { Metrics } from "./metrics.js";
import { spanExporter, type SpanExporter } from "./otlp.js";
import type { Runnable } from "./runnable.js";

/** As far as traces are found in it. */
export type TracedHost = Pick<Host, "bindingAt"> & { readonly works: Pick<Host["works"], "get"> };

/** Where a collector is, and as whose spans are sent. */
export type TracingSettings = Pick<
  Config,
  "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_SERVICE_NAME"
> & { readonly identity: string; readonly version: string };

interface Traced {
  readonly metrics: Pick<Metrics, "onReconciled">;
  readonly host: TracedHost;
  readonly log: Logger;
}

/** What sends spans of every reconcile; nothing at all where no collector is named, or its settings cannot be used. */
export function tracing({ metrics, host, log }: Traced, settings: TracingSettings): Runnable[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (!endpoint) return [];
  const resource = {
    "service.name": settings.OTEL_SERVICE_NAME,
    "service.version": settings.version,
    "service.instance.id": settings.identity,
  };
  try {
    const exporter = spanExporter({ endpoint, headers, resource }, log);
    metrics.onReconciled = traceReconciles(exporter, host);
    return [exporter];
  } catch (error) {
    log.warn("nothing is traced", { error: messageOf(error) });
    return [];
  }
}

/** Makes a span of every reconcile. */
export function traceReconciles(
  exporter: Pick<SpanExporter, "add">,
  host: TracedHost,
): (facts: ReconcileFacts) => void {
  return ({ controller, key, seconds, error }) => {
    const endMs = Date.now();
    exporter.add({
      traceId: traceOf(host, controller, key),
      name: `reconcile ${controller}`,
      ...{ startMs: endMs - seconds * 1000, endMs },
      attributes: { "holdfast.controller": controller, "holdfast.key": key },
      error,
    });
  };
}

/**
 * Derived, so that nothing has to be written anywhere: from the binding's name and generation and the uid of its template, which its Works
 * bear too. What
 * belongs to no binding is a trace of its own.
 */
export function traceOf(host: TracedHost, controller: string, key: string): string {
  const root = rootOf(host, controller, key);
  if (root === undefined) return randomBytes(16).toString("hex");
  return createHash("sha256").update(root).digest("hex").slice(0, 32);
}

function rootOf(host: TracedHost, controller: string, key: string): string | undefined {
  if (controller.startsWith("work-")) return rootOfWork(host, key);
  if (controller.startsWith("binding")) return rootOfBinding(host, key);
  return controller === "propagation" ? rootOfBinding(host, bindingKeyOf(key)) : undefined;
}

/** Where two kinds share a name the second one's binding has a suffix: its first span is then a trace of its own. */
function bindingKeyOf(templateKey: string): string {
  const template = parseTemplateKey(templateKey);
  const { namespace } = template;
  return storeKey({ namespace, name: bindingName({ ...gvkOf(template), namespace, name: template.name }) });
}

function rootOfBinding(host: TracedHost, key: string): string | undefined {
  const { spec, metadata } = host.bindingAt(key) ?? {};
  return metadata?.generation === undefined ? undefined : `${key} ${spec?.resource.uid} ${metadata.generation}`;
}

function rootOfWork(host: TracedHost, key: string): string | undefined {
  const annotations = host.works.get(key)?.metadata.annotations ?? {};
  const name = annotations[RB_NAME_ANNOTATION] ?? annotations[CRB_NAME_ANNOTATION];
  const generation = annotations[BINDING_GENERATION_ANNOTATION];
  if (name === undefined || generation === undefined) return undefined;
  const binding = storeKey({ namespace: annotations[RB_NAMESPACE_ANNOTATION], name });
  return `${binding} ${annotations[TEMPLATE_UID_ANNOTATION]} ${generation}`;
}
