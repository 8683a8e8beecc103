// What `/metrics` tells: Karmada's names where Karmada has one, controller-runtime's for queues and reconciles.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { createServer, type Server } from "node:http";
import type { ControllerMetrics, ReconcileFacts } from "./controller-metrics.js";
import type { QueueStats } from "./queue.js";

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** All metrics of one process, in a registry of their own. Labels are bounded: cluster yes, object name never. */
export class Metrics implements ControllerMetrics {
  readonly registry = new Registry();
  /** Told of every reconcile too, where somebody traces them. */
  onReconciled: ((facts: ReconcileFacts) => void) | undefined;
  readonly #queues = new Map<string, () => QueueStats>();
  readonly #reconciles: Counter<"controller" | "result">;
  readonly #reconcileSeconds: Histogram<"controller">;

  readonly matchSeconds = this.#histogram(
    "resource_match_policy_duration_seconds",
    "How long it takes to find the policy of a template.",
    [],
  );
  readonly policyApplies = this.#counter(
    "policy_apply_attempts_total",
    "How often policies were applied to templates, and with which outcome.",
    ["result"],
  );
  readonly bindingSyncSeconds = this.#histogram(
    "binding_sync_work_duration_seconds",
    "How long it takes to bring the Works of a binding in step.",
    ["result"],
  );
  readonly workSyncSeconds = this.#histogram(
    "work_sync_workload_duration_seconds",
    "How long it takes to bring a member object in step with its Work.",
    ["result"],
  );
  readonly writesToMembers = this.#counter("create_resource_to_cluster", "How many objects were created in members.", [
    "result",
    "apiversion",
    "kind",
    "member_cluster",
  ]);
  readonly clusterReady = this.#gauge("cluster_ready_state", "1 when the member is ready, 0 when it is not.", [
    "member_cluster",
  ]);
  readonly preserved = this.#counter("preserved_resources_total", "How many member objects were kept and released.", [
    "member_cluster",
  ]);
  readonly finalizerWaitSeconds = this.#histogram(
    "finalizer_wait_seconds",
    "How long it took from the deletion of a Work until its finalizer went.",
    ["member_cluster"],
  );
  readonly requests = this.#histogram(
    "holdfast_api_request_duration_seconds",
    "How long requests to API servers take; `cluster` is empty for the host, `code` is 0 where no answer came.",
    ["cluster", "method", "code"],
  );

  constructor(version: string) {
    collectDefaultMetrics({ register: this.registry });
    this.#reconciles = this.#counter(
      "controller_runtime_reconcile_total",
      "How many reconciles there were, by outcome.",
      ["controller", "result"],
    );
    this.#reconcileSeconds = this.#histogram(
      "controller_runtime_reconcile_time_seconds",
      "How long one reconcile takes.",
      ["controller"],
    );
    this.#gauge("build_info", "1; the label says which version runs.", ["version"]).set({ version }, 1);
    this.#queueGauge("workqueue_depth", "How many keys wait to be reconciled.", s => s.depth);
    this.#queueCounter("workqueue_adds_total", "How many keys were added since the start.", s => s.adds);
    this.#queueCounter("workqueue_retries_total", "How many keys were tried again since the start.", s => s.retries);
  }

  reconciled(facts: ReconcileFacts): void {
    const { controller, seconds, error } = facts;
    this.#reconciles.inc({ controller, result: error === undefined ? "success" : "error" });
    this.#reconcileSeconds.observe({ controller }, seconds);
    this.onReconciled?.(facts);
  }

  watchQueue(controller: string, stats: () => QueueStats): void {
    this.#queues.set(controller, stats);
  }

  forgetQueue(controller: string): void {
    this.#queues.delete(controller);
  }

  /** On admission: until the certificate that the webhooks serve ends, in seconds. */
  watchCertificate(secondsLeft: () => number | undefined): void {
    this.#readGauge(
      "webhook_cert_expiry_seconds",
      "How long the webhooks' serving certificate is still good.",
      secondsLeft,
    );
  }

  /** On the watcher: whether this process leads. */
  watchLease(leads: () => boolean): void {
    this.#readGauge("holdfast_leading", "1 in the watcher that leads, 0 in those that wait.", () => Number(leads()));
  }

  /** On the watcher: for how long the oldest Work that is being deleted waits, in seconds, by member. */
  watchFarewells(waiting: () => ReadonlyMap<string, number>): void {
    const gauge: Gauge<"member_cluster"> = new Gauge({
      name: "finalizer_pending_seconds",
      help: "For how long the oldest Work that is being deleted has waited for its finalizer to go.",
      labelNames: ["member_cluster"],
      registers: [this.registry],
      collect() {
        gauge.reset();
        for (const [cluster, seconds] of waiting()) gauge.set({ member_cluster: cluster }, seconds);
      },
    });
  }

  /**
   * Serves `/metrics` over plain HTTP on its own port; port 0: not at all. `onError` is told when it cannot, which is no
   * reason to stop working.
   */
  serve(port: number, host: string, onError: (error: Error) => void): Server | undefined {
    if (port === 0) return undefined;
    const server = createServer((request, response) => {
      if (request.url !== "/metrics") {
        response.writeHead(404).end();
        return;
      }
      this.registry.metrics().then(
        text => response.writeHead(200, { "content-type": this.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.on("error", onError);
    server.listen(port, host);
    server.unref();
    return server;
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }

  #readGauge(name: string, help: string, read: () => number | undefined): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      // Not a number until it is known: no alert compares with that.
      collect: () => gauge.set(read() ?? NaN),
    });
  }

  #queueGauge(name: string, help: string, read: (stats: QueueStats) => number): void {
    const queues = this.#queues;
    const gauge: Gauge<"name"> = new Gauge({
      name,
      help,
      labelNames: ["name"],
      registers: [this.registry],
      collect() {
        gauge.reset();
        for (const [queue, stats] of queues) gauge.set({ name: queue }, read(stats()));
      },
    });
  }

  #queueCounter(name: string, help: string, read: (stats: QueueStats) => number): void {
    const queues = this.#queues;
    const counter: Counter<"name"> = new Counter({
      name,
      help,
      labelNames: ["name"],
      registers: [this.registry],
      collect() {
        counter.reset();
        for (const [queue, stats] of queues) counter.inc({ name: queue }, read(stats()));
      },
    });
  }
}
