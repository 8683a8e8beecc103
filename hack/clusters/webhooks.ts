// How do webhook configurations made for a Service reach an operator that runs beside the cluster?
import { parseAllDocuments } from "yaml";

/** As much of a Mutating- or ValidatingWebhookConfiguration as is read here; all else is passed on. */
export interface WebhookConfiguration {
  readonly kind: string;
  readonly webhooks?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** Where the operator listens. */
export interface Endpoint {
  readonly port: number;
  /** The secret part of the URL path. */
  readonly apiPath: string;
  /** The CA of its certificate, base64. */
  readonly caBundle: string;
}

/** Replaces every `clientConfig` by the operator's own URL; Pepr serves `/mutate/…` and `/validate/…`. */
export function pointAtEndpoint(configuration: WebhookConfiguration, endpoint: Endpoint): WebhookConfiguration {
  const verb = configuration.kind.startsWith("Mutating") ? "mutate" : "validate";
  const url = `https://127.0.0.1:${endpoint.port}/${verb}/${endpoint.apiPath}`;
  const clientConfig = { url, caBundle: endpoint.caBundle };
  const webhooks = (configuration.webhooks ?? []).map(webhook => ({ ...webhook, clientConfig }));
  return { ...configuration, webhooks };
}

/**
 * The webhook configurations in a YAML text of several documents or Lists.
 * @throws Error that names the first thing that is not one.
 */
export function parseWebhooks(text: string): WebhookConfiguration[] {
  const documents = parseAllDocuments(text).map(document => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as unknown;
  });
  const found = documents.flatMap(itemsOf);
  for (const object of found)
    if (!isWebhookConfiguration(object)) throw new Error(`not a webhook configuration: ${JSON.stringify(object)}`);
  return found.filter(isWebhookConfiguration);
}

function itemsOf(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "object" && "items" in value && Array.isArray(value.items)) return value.items;
  return [value];
}

function isWebhookConfiguration(value: unknown): value is WebhookConfiguration {
  return (
    typeof value === "object" && value !== null && "kind" in value && /WebhookConfiguration$/.test(String(value.kind))
  );
}
