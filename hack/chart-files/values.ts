// What may be set in the chart, what is it by default, and what for?
import { z } from "zod";
import { duration, name, pods, strings, verbatims } from "./values-pods.js";

const seconds = z.number().int().min(1);

const image = z.strictObject({
  registry: z
    .string()
    .regex(/^([A-Za-z0-9.-]+(:[0-9]+)?(\/[A-Za-z0-9._-]+)*)?$/)
    .default("")
    .describe("Registry, such as `registry.example.com`, without a scheme; empty: none is written."),
  repository: z
    .string()
    .regex(/^[a-z0-9]+([._/-]+[a-z0-9]+)*$/)
    .default("holdfast")
    .describe("Name of the image in the registry, without a tag."),
  tag: z
    .string()
    .regex(/^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$/)
    .default("")
    .describe("Tag; empty: the chart's appVersion."),
  digest: z
    .string()
    .regex(/^(sha256:[0-9a-f]{64})?$/)
    .default("")
    .describe("Digest, `sha256:…`; wins over the tag."),
  pullPolicy: z
    .enum(["Always", "IfNotPresent", "Never"])
    .default("IfNotPresent")
    .describe("When nodes pull the image."),
});

const selfSigned = z.strictObject({
  days: z.number().int().min(2).default(1095).describe("Days for which a serving certificate is good."),
  renewBeforeDays: z
    .number()
    .int()
    .min(1)
    .default(365)
    .describe("`helm upgrade` renews a certificate that has fewer days left."),
});

const issuerRef = z.strictObject({
  name: name.default("").describe("Name of your own issuer; empty: the chart makes a CA of its own."),
  kind: z.string().default("Issuer").describe("`Issuer` or `ClusterIssuer`."),
  group: z.string().default("cert-manager.io").describe("API group of the issuer."),
});

const certManager = z.strictObject({
  issuerRef: section(issuerRef),
  duration: duration.default("2160h").describe("For how long a certificate is good."),
  renewBefore: duration.default("720h").describe("How long before its end it is renewed."),
});

const existingSecret = z.strictObject({
  name: name.default("").describe("Secret in the release's namespace, with `tls.crt` and `tls.key`."),
  caBundle: z
    .string()
    .default("")
    .describe("CA of that certificate, PEM; empty: `ca.crt` of the Secret, read when helm runs."),
});

const certificates = z.strictObject({
  mode: z
    .enum(["selfSigned", "certManager", "existingSecret"])
    .default("selfSigned")
    .describe("Where the webhooks' serving certificate comes from."),
  selfSigned: section(selfSigned),
  certManager: section(certManager),
  existingSecret: section(existingSecret),
});

const webhooks = z.strictObject({
  failurePolicy: z
    .enum(["Fail", "Ignore"])
    .default("Fail")
    .describe("Whether changes to Holdfast's own kinds are refused while admission does not answer."),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(30)
    .default(10)
    .describe("How long the API server waits for that answer."),
  apiPath: z
    .string()
    .regex(/^[a-z0-9-]*$/)
    .default("")
    .describe(
      "The secret part of the webhooks' path; empty: made once and kept in a Secret. Needed by tools that render the chart without asking the cluster, such as Argo CD.",
    ),
});

const monitor = {
  enabled: z.boolean().default(false).describe("Whether to make it."),
  interval: duration.default("30s").describe("How often to scrape."),
  labels: strings.default({}).describe("Labels by which your Prometheus finds it."),
};

const monitoring = z.strictObject({
  serviceMonitor: section(z.strictObject(monitor)),
  podMonitor: section(z.strictObject(monitor)),
  prometheusRule: section(
    z.strictObject({
      enabled: z.boolean().default(false).describe("Alerts: members, failing work, stuck finalizers, certificate."),
      labels: strings.default({}).describe("Labels by which your Prometheus finds it."),
    }),
  ),
  dashboards: section(
    z.strictObject({
      enabled: z.boolean().default(false).describe("Two Grafana dashboards as ConfigMaps: propagation, members."),
      labels: strings.default({ grafana_dashboard: "1" }).describe("Labels by which Grafana's sidecar finds them."),
    }),
  ),
});

/** Every value of the chart. */
export const ChartValues = z.strictObject({
  image: section(image),
  imagePullSecrets: verbatims.default([]).describe("Secrets for the registry, as in a pod."),
  host: section(
    z.strictObject({
      kind: z
        .enum(["auto", "ordinary", "controlPlane"])
        .default("auto")
        .describe("Whether this cluster runs workload controllers; auto looks for nodes once."),
    }),
  ),
  logLevel: z.enum(["debug", "info", "warn", "error"]).default("info").describe("Least level to log."),
  admission: section(
    z.strictObject({
      ...pods("admission, which answers webhooks", { request: "192Mi", limit: "512Mi" }),
      drainSeconds: z
        .number()
        .int()
        .min(0)
        .max(10)
        .default(5)
        .describe("How long a pod that is asked to end goes on answering, until no request reaches it any more."),
    }),
  ),
  watcher: section(
    z.strictObject(
      pods("the watcher, which does the work; one leads, the others wait", { request: "256Mi", limit: "1Gi" }),
    ),
  ),
  serviceAccount: section(
    z.strictObject({ annotations: strings.default({}).describe("Annotations on the ServiceAccount `holdfast`.") }),
  ),
  certificates: section(certificates),
  webhooks: section(webhooks),
  crds: section(
    z.strictObject({
      enabled: z.boolean().default(true).describe("Install and upgrade the CRDs with the release."),
      keep: z
        .boolean()
        .default(true)
        .describe("Leave the CRDs, and all objects of their kinds, when the release goes."),
    }),
  ),
  rbac: section(
    z.strictObject({
      aggregate: z.boolean().default(true).describe("Add Holdfast's kinds to the roles view, edit and admin."),
      restrictOverwrite: z
        .boolean()
        .default(true)
        .describe("Demand the verb `overwrite` of whoever sets `conflictResolution: Overwrite`."),
    }),
  ),
  networkPolicy: section(
    z.strictObject({
      enabled: z.boolean().default(false).describe("Let in webhooks, probes and scrapers only."),
      metricsFrom: verbatims
        .default([])
        .describe("Who may scrape metrics, as `from` of a NetworkPolicy; empty: everybody."),
    }),
  ),
  monitoring: section(monitoring),
  uninstall: section(
    z.strictObject({
      takeOffFinalizers: z
        .boolean()
        .default(true)
        .describe("Take Holdfast's finalizers off templates, bindings and policies before the release goes."),
      timeoutSeconds: seconds.max(3600).default(120).describe("How long that may take; then the release goes anyway."),
    }),
  ),
});
export type ChartValues = z.infer<typeof ChartValues>;

/** A group of values that may be left out. */
function section<T extends z.ZodObject>(schema: T) {
  return schema.prefault({} as z.input<T>);
}
