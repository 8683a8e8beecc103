// What the process is told by its environment.
import { hostname } from "node:os";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { LOG_LEVELS } from "./log.js";

const port = z.coerce.number().int().min(0).max(65_535);

/** Every variable the operator reads, with its default. */
export const Config = z.object({
  PEPR_WATCH_MODE: z.enum(["true", "false"]).default("false").describe("true: reconcile; false: answer webhooks."),
  PORT: port.default(3000).describe("HTTPS port of webhooks and health."),
  HOLDFAST_METRICS_PORT: port.default(9090).describe("Plain HTTP port of /metrics; 0 turns it off."),
  HOLDFAST_METRICS_HOST: z.string().default("127.0.0.1").describe("Address that /metrics listens on."),
  POD_NAMESPACE: z.string().default("holdfast-system").describe("Namespace that the operator runs in."),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info").catch("info").describe("Least level to log."),
  HOLDFAST_HOST_KIND: z
    .enum(["auto", "ordinary", "controlPlane"])
    .default("auto")
    .describe("Whether the host runs workload controllers; auto looks for nodes once."),
  HOLDFAST_DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(10)
    .default(0)
    .describe("How long admission goes on answering when it is asked to end."),
  HOLDFAST_TASK: z
    .enum(["serve", "uninstall", "check"])
    .default("serve")
    .describe("serve: run the operator; the others do one thing and end."),
  HOLDFAST_TASK_SECONDS: z.coerce.number().min(1).max(3600).default(100).describe("How long a task may take."),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .optional()
    .describe("Base URL of a collector that takes OTLP over HTTP; without it nothing is traced."),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional().describe("Headers for it, key=value with commas between."),
  OTEL_SERVICE_NAME: z.string().default("holdfast").describe("Name of this service in traces."),
  SSL_CERT_PATH: z.string().default("/etc/certs/tls.crt").describe("Serving certificate; Pepr reads it too."),
  SSL_KEY_PATH: z.string().default("/etc/certs/tls.key").describe("Its key."),
});
export type Config = z.infer<typeof Config>;

/** @throws Error that names each wrong variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = Config.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(i => `${i.path.join(".")}: ${i.message}`).join("; "));
}

/** A new candidate for the Lease at every start: a restarted process must not take its predecessor's word for its own. */
export function newIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
