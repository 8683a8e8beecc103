// The composition root: configuration, dependencies, the list of capabilities. No logic.
import { KubeConfig } from "@kubernetes/client-node";
import { Log, PeprModule } from "pepr";
import pkg from "./package.json" with { type: "json" };
import type { KubeObject } from "./crds/object.js";
import { bindingControllers } from "./capabilities/binding/controller.js";
import { bindingCapability } from "./capabilities/binding/index.js";
import { clusterControllers } from "./capabilities/cluster/controller.js";
import { clusterCapability } from "./capabilities/cluster/index.js";
import { holdCapability } from "./capabilities/hold/index.js";
import { namespaceControllers } from "./capabilities/namespace/controller.js";
import { overrideCapability } from "./capabilities/override/index.js";
import { propagationControllers, type PropagationControllers } from "./capabilities/propagation/controller.js";
import { propagationCapability } from "./capabilities/propagation/index.js";
import { protectionControllers } from "./capabilities/protection/controller.js";
import { protectionCapability } from "./capabilities/protection/index.js";
import { workControllers } from "./capabilities/work/controller.js";
import { workCapability } from "./capabilities/work/index.js";
import { isHeld } from "./lib/domain/hold.js";
import { admissionFacts, type AdmissionFacts } from "./lib/engine/admission-facts.js";
import { newIdentity, readConfig, type Config } from "./lib/engine/config.js";
import { eventRecorder } from "./lib/engine/events.js";
import { hostKind, type HostKind } from "./lib/engine/host-kind.js";
import { keepIdleConnections } from "./lib/engine/keep-alive.js";
import { LeaderLease } from "./lib/engine/lease.js";
import { createLogger, type Logger } from "./lib/engine/log.js";
import { Metrics } from "./lib/engine/metrics.js";
import { runAll, type Runnable } from "./lib/engine/runnable.js";
import { runUntilSignal } from "./lib/engine/shutdown.js";
import { KubeClient } from "./lib/kube/client.js";
import { connectionOf } from "./lib/kube/connection.js";
import { Host } from "./lib/kube/host.js";
import { Members } from "./lib/kube/member.js";

const config = readConfig(process.env);
const log = createLogger(config.LOG_LEVEL);
let facts: AdmissionFacts | undefined;
let propagation: PropagationControllers | undefined;
const context = () => facts?.context() ?? {};
const NOTHING_READ = { found: [], unread: ["admission is starting"] };
// Pepr's debug lines hold whole requests, Secrets included; at "info" it writes a page about each object it is shown.
Log.level = config.LOG_LEVEL === "debug" ? "info" : "warn";

const capabilities = [
  propagationCapability({ context, wake: (kind, metadata) => propagation?.wakePolicy(kind, metadata) }),
  overrideCapability(context),
  bindingCapability(context),
  workCapability(context),
  protectionCapability({ context, protectedIn: async namespace => facts?.protectedIn(namespace) ?? NOTHING_READ }),
  holdCapability({ context, templatesIn: async namespace => facts?.templatesIn(namespace) ?? NOTHING_READ }),
  clusterCapability({ context, wake: name => log.debug("cluster seen by Pepr", { cluster: name }) }),
];

keepIdleConnections();
new PeprModule(pkg, capabilities, { deferStart: true }).start(config.PORT);
runUntilSignal(() => (config.PEPR_WATCH_MODE === "true" ? watcher(config, log) : admission(config, log)), log);

/** Answers webhooks; needs to know the clusters and the kinds. */
async function admission({ POD_NAMESPACE }: Config, logger: Logger): Promise<Runnable> {
  const connection = await hostConnection();
  facts = admissionFacts(new KubeClient(connection, { connections: 4 }), logger, POD_NAMESPACE);
  return facts;
}

/** Reconciles; only while it holds the Lease. */
async function watcher(settings: Config, logger: Logger): Promise<Runnable> {
  const { POD_NAMESPACE, HOLDFAST_HOST_KIND, HOLDFAST_METRICS_PORT, HOLDFAST_METRICS_HOST } = settings;
  const metrics = new Metrics(pkg.version);
  const connection = await hostConnection();
  const identity = newIdentity();
  const lease = new LeaderLease(
    new KubeClient(connection, { connections: 1, timeoutMs: 1_000 }),
    { namespace: POD_NAMESPACE, name: "holdfast-watcher", identity },
    logger,
  );
  const mayWrite = () => lease.mayWrite();
  const clientFor = (cluster: string) => ({
    mayWrite,
    onRequest: (method: string, code: number, seconds: number) =>
      metrics.requests.observe({ cluster, method, code: String(code) }, seconds),
  });
  const client = new KubeClient(connection, { connections: 16, ...clientFor("") });
  const host = new Host(client, logger);
  const members = new Members({ client: clientFor, log: logger });
  const withoutMetrics = (error: Error) => logger.warn("cannot serve metrics", { error: error.message });
  let kind: HostKind | undefined;
  const deps = {
    host,
    members,
    metrics,
    log: logger,
    events: eventRecorder(client, logger, identity),
    ownNamespace: POD_NAMESPACE,
    mayWork: mayWrite,
    writesStatusOf: (template: KubeObject) =>
      kind === "controlPlane" || isHeld(template, host.namespaces.get(template.metadata.namespace ?? "")),
  };
  propagation = propagationControllers(deps);
  return runAll([
    {
      start: () => void metrics.serve(HOLDFAST_METRICS_PORT, HOLDFAST_METRICS_HOST, withoutMetrics),
      stop: async () => {},
    },
    { start: () => leadOrEnd(lease), stop: () => lease.release() },
    {
      start: async () => void (kind = await hostKind(client, HOLDFAST_HOST_KIND, POD_NAMESPACE)),
      stop: async () => {},
    },
    host,
    { start: () => {}, stop: () => members.close() },
    clusterControllers(deps),
    propagation,
    protectionControllers(deps),
    bindingControllers(deps),
    workControllers(deps),
    namespaceControllers(deps),
  ]);
}

function hostConnection() {
  const kubeconfig = new KubeConfig();
  kubeconfig.loadFromDefault();
  return connectionOf(kubeconfig);
}

/** A process that lost the Lease starts anew: what it has in memory may be from before another one led. */
async function leadOrEnd(lease: LeaderLease): Promise<void> {
  const leads = await lease.lead(() => process.exit(1));
  if (!leads) throw new Error("asked to end before it led");
}
