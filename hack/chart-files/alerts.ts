// When does Prometheus call somebody, and with which words? charts/holdfast/files/alerts.yaml.
import type { GeneratedFile } from "../generated-files.js";
import { documents } from "./yaml.js";

const MINUTE = 60;
const DAY = 24 * 3600;

/** One alert; `expr` names only metrics that lib/engine/metrics.ts exports (a test looks). */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: "warning" | "critical";
  readonly summary: string;
  readonly description: string;
}

const MEMBER = "{{ $labels.member_cluster }}";

/** Every alert, what wakes somebody first. */
export const ALERTS: readonly Alert[] = [
  {
    name: "HoldfastNoLeader",
    expr: "absent(holdfast_leading == 1)",
    for: "5m",
    severity: "critical",
    summary: "No watcher leads: nothing moves, deletions of templates wait.",
    description: "Nothing is lost and nothing is deleted. See the logs of deployment holdfast-watcher.",
  },
  {
    name: "HoldfastMemberUnreachable",
    expr: "cluster_ready_state == 0",
    for: "5m",
    severity: "warning",
    summary: `Member ${MEMBER} is not ready.`,
    description: `Its Works wait; what runs there runs on. kubectl describe cluster ${MEMBER} says why.`,
  },
  {
    name: "HoldfastWorkFailing",
    expr: 'sum(increase(work_sync_workload_duration_seconds_count{result="error"}[5m])) > 0',
    for: "15m",
    severity: "warning",
    summary: "Objects cannot be brought in step in members for 15 minutes.",
    description: "kubectl get works -A shows APPLIED False; the condition's message names member and reason.",
  },
  {
    name: "HoldfastFinalizerStuck",
    expr: `finalizer_pending_seconds > ${30 * MINUTE}`,
    for: "1m",
    severity: "warning",
    summary: `A deletion in ${MEMBER} waits for over 30 minutes.`,
    description: `kubectl get works -n karmada-es-${MEMBER} shows which; a member that is not ready, or a finalizer there, holds it.`,
  },
  {
    name: "HoldfastCertificateEnds",
    expr: `webhook_cert_expiry_seconds < ${14 * DAY}`,
    for: "1h",
    severity: "critical",
    summary: "The webhooks' certificate ends in under 14 days; then no policy can be changed.",
    description: "helm upgrade renews a certificate made by helm; with cert-manager see certificate holdfast-webhook.",
  },
];

/** The rule groups of a PrometheusRule. */
export function alertsFile(): GeneratedFile {
  const rules = ALERTS.map(({ name, expr, severity, summary, description, for: duration }) => ({
    ...{ alert: name, expr, for: duration, labels: { severity } },
    annotations: { summary, description },
  }));
  return {
    path: "charts/holdfast/files/alerts.yaml",
    content: documents([{ groups: [{ name: "holdfast", rules }] }], "gen-chart"),
  };
}
