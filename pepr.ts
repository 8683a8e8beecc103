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
import { VERSION_ANNOTATION } from "./lib/domain/version.js";
import { admissionFacts, type AdmissionFacts } from "./lib/engine/admission-facts.js";
import { servingCertificate } from "./lib/engine/certificate.js";
import { newIdentity, readConfig, type Config } from "./lib/engine/config.js";
import { eventRecorder } from "./lib/engine/events.js";
import { oldestFarewells } from "./lib/engine/farewells.js";
import { hostKind, type HostKind } from "./lib/engine/host-kind.js";
import { LeaderLease } from "./lib/engine/lease.js";
import { WATCHER_LEASE } from "./lib/engine/lease-object.js";
import { createLogger, type Logger, type LogLevel } from "./lib/engine/log.js";
import { followLogLevel } from "./lib/engine/log-level.js";
import { Metrics } from "./lib/engine/metrics.js";
import { dropStamps, type PatchingAnswer } from "./lib/engine/mutation-stamps.js";
import { MutationWarnings } from "./lib/engine/mutation-warnings.js";
import { runAll, type Runnable } from "./lib/engine/runnable.js";
import { watchServers, type Serving } from "./lib/engine/serving.js";
import { runUntilSignal } from "./lib/engine/shutdown.js";
import { runTask } from "./lib/engine/tasks.js";
import { tracing } from "./lib/engine/tracing.js";
import { KubeClient } from "./lib/kube/client.js";
import { connectionOf } from "./lib/kube/connection.js";
import { Host } from "./lib/kube/host.js";
import { Members } from "./lib/kube/member.js";

const config = readConfig(process.env);
const log = createLogger(config.LOG_LEVEL);
let facts: AdmissionFacts | undefined;
let propagation: PropagationControllers | undefined;
const context = () => facts?.context() ?? {};
const mutations = new MutationWarnings();
const NOTHING_READ = { found: [], unread: ["admission is starting"] };
setLevel(config.LOG_LEVEL);
// Pepr's own lines hold whole requests, Secrets included, and the secret part of admission's path.
Log.level = "warn";

const { HOLDFAST_TASK: task } = config;
if (task === "serve") serve(watchServers());
else void once(task).then(code => process.exit(code));

function serve(serving: Serving): void {
  const afterHook = (answer: Parameters<typeof mutations.complete>[0] & PatchingAnswer): void => {
    dropStamps(answer, pkg.pepr.uuid);
    mutations.complete(answer);
  };
  new PeprModule(pkg, capabilities(), { deferStart: true, afterHook }).start(config.PORT);
  const build = config.PEPR_WATCH_MODE === "true" ? watcher : admission;
  runUntilSignal(() => build(config, log, serving), log);
}

function setLevel(level: LogLevel): void {
  log.setLevel(level);
}

function followLevel(client: KubeClient, { LOG_LEVEL, POD_NAMESPACE: namespace }: Config, logger: Logger): Runnable {
  return followLogLevel(client, { namespace, configured: LOG_LEVEL, setLevel }, logger);
}

function capabilities() {
  return [
    propagationCapability({ context, wake: (kind, metadata) => propagation?.wakePolicy(kind, metadata) }),
    overrideCapability(context),
    bindingCapability(context),
    workCapability(context),
    protectionCapability({ context, protectedIn: async namespace => facts?.protectedIn(namespace) ?? NOTHING_READ }),
    holdCapability({
      context,
      templatesIn: async namespace => facts?.templatesIn(namespace) ?? NOTHING_READ,
      tell: mutations.tell.bind(mutations),
    }),
    clusterCapability({ context, wake: name => log.debug("cluster seen by Pepr", { cluster: name }) }),
  ];
}

async function once(name: Exclude<Config["HOLDFAST_TASK"], "serve">): Promise<number> {
  const client = new KubeClient(await hostConnection(), { connections: 8 });
  return runTask(name, { client, config, log, lease: WATCHER_LEASE });
}

/** Answers webhooks; needs to know the clusters and the kinds. */
async function admission(settings: Config, logger: Logger, serving: Serving): Promise<Runnable> {
  const { POD_NAMESPACE, SSL_CERT_PATH: certPath, SSL_KEY_PATH: keyPath, HOLDFAST_DRAIN_SECONDS } = settings;
  const certificate = servingCertificate({ certPath, keyPath }, serving, logger);
  const metrics = new Metrics(pkg.version);
  metrics.watchCertificate(() => certificate.secondsLeft());
  const connection = await hostConnection();
  const client = new KubeClient(connection, { connections: 4 });
  facts = admissionFacts(client, logger, POD_NAMESPACE);
  return runAll([
    metricsServer(metrics, settings, logger),
    followLevel(client, settings, logger),
    certificate,
    facts,
    { start: () => {}, stop: () => serving.drain(HOLDFAST_DRAIN_SECONDS * 1000) },
  ]);
}

/** Reconciles; only while it holds the Lease. */
async function watcher(settings: Config, logger: Logger): Promise<Runnable> {
  const { POD_NAMESPACE, HOLDFAST_HOST_KIND } = settings;
  const metrics = new Metrics(pkg.version);
  const connection = await hostConnection();
  const identity = newIdentity();
  const lease = new LeaderLease(
    new KubeClient(connection, { connections: 1, timeoutMs: 1_000 }),
    { namespace: POD_NAMESPACE, name: WATCHER_LEASE, identity, annotations: { [VERSION_ANNOTATION]: pkg.version } },
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
  metrics.watchLease(mayWrite);
  metrics.watchFarewells(() => oldestFarewells(host.works.store.values(), Date.now()));
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
  const controllers = propagationControllers(deps);
  propagation = controllers;
  return runAll([
    metricsServer(metrics, settings, logger),
    followLevel(client, settings, logger),
    ...tracing({ metrics, host, log }, { ...settings, version: pkg.version, identity }),
    { start: () => leadOrEnd(lease), stop: () => lease.release() },
    {
      start: async () => void (kind = await hostKind(client, HOLDFAST_HOST_KIND, POD_NAMESPACE)),
      stop: async () => {},
    },
    host,
    { start: () => {}, stop: () => members.close() },
    clusterControllers(deps),
    controllers,
    protectionControllers(deps, controllers.firstUnseen),
    bindingControllers(deps),
    workControllers(deps),
    namespaceControllers(deps),
  ]);
}

function metricsServer(metrics: Metrics, settings: Config, logger: Logger): Runnable {
  const withoutMetrics = (error: Error) => logger.warn("cannot serve metrics", { error: error.message });
  const { HOLDFAST_METRICS_PORT: port, HOLDFAST_METRICS_HOST: address } = settings;
  return { start: () => void metrics.serve(port, address, withoutMetrics), stop: async () => {} };
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
