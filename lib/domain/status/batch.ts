// How do Jobs and CronJobs in many members look as one, within what the API server lets a Job's status do?
import {
  type JsonRecord,
  countAt,
  defined,
  earliest,
  latest,
  pick,
  recordsAt,
  sumAt,
  textAt,
  timeAt,
  trueCondition,
} from "./read.js";
import { type Aggregation, type KnownItem, type StatusRules, statusOf } from "./rule.js";

/** Rules of batch/v1 (spec/karmada.md 5.6); Jobs as Kubernetes 1.32 and later validate them (KEP-4368). */
export const batchRules: StatusRules = {
  "batch/Job": {
    reflect: live => {
      const status = statusOf(live);
      if (!status) return undefined;
      const conditions = recordsAt(status, "conditions").map(condition => pick(condition, CONDITION_FIELDS));
      return { ...pick(status, JOB_FIELDS), ...(conditions.length > 0 ? { conditions } : {}) };
    },
    aggregate: aggregateJob,
  },
  "batch/CronJob": { aggregate: aggregateCronJob },
};

const JOB_FIELDS = ["active", "succeeded", "failed", "startTime", "completionTime"];
const CONDITION_FIELDS = ["type", "status", "reason", "message", "lastTransitionTime"];
const REFERENCE_FIELDS = ["apiVersion", "kind", "name", "namespace", "uid", "resourceVersion", "fieldPath"];

interface MemberJob {
  readonly clusterName: string;
  readonly status: JsonRecord;
  readonly complete: JsonRecord | undefined;
  readonly failed: JsonRecord | undefined;
  /** Failed, or about to be: its remaining Pods are being ended. */
  readonly failing: JsonRecord | undefined;
}

function readJob({ clusterName, status }: KnownItem): MemberJob {
  const failed = trueCondition(status, "Failed");
  return {
    clusterName,
    status,
    complete: trueCondition(status, "Complete"),
    failed,
    failing: failed ?? trueCondition(status, "FailureTarget"),
  };
}

/** A finished template stays as it is; nothing that the API server forbids to fall or to change ever does. */
function aggregateJob(aggregation: Aggregation): JsonRecord | undefined {
  const { previous } = aggregation;
  if (trueCondition(previous, "Complete") || trueCondition(previous, "Failed")) return undefined;
  const jobs = aggregation.known.map(readJob);
  const verdict = judge(previous, jobs);
  return endOf(aggregation, jobs, verdict) ?? stillRunning(previous, jobs, verdict);
}

type Verdict = { readonly fails: true; readonly target: JsonRecord } | { readonly fails: false };

/** Whether the whole fails. `FailureTarget` and `SuccessCriteriaMet` can never be taken back, nor stand together. */
function judge(previous: JsonRecord, jobs: readonly MemberJob[]): Verdict {
  const before = trueCondition(previous, "FailureTarget");
  const failing = jobs.filter(job => job.failing !== undefined);
  if (trueCondition(previous, "SuccessCriteriaMet") || (!before && failing.length === 0)) return { fails: false };
  return { fails: true, target: failureTarget(before, failing) };
}

function failureTarget(before: JsonRecord | undefined, failing: readonly MemberJob[]): JsonRecord {
  const reasons = new Set(failing.map(job => textAt(job.failing ?? {}, "reason") ?? "JobFailed"));
  const [reason] = reasons;
  const since = earliest(failing.map(job => timeAt(job.failing ?? {}, "lastTransitionTime")));
  return condition("FailureTarget", {
    reason: textAt(before ?? {}, "reason") ?? (reasons.size === 1 ? reason : "JobFailed"),
    message: failing.length > 0 ? `failed in ${clustersOf(failing)}` : textAt(before ?? {}, "message"),
    lastTransitionTime: timeAt(before ?? {}, "lastTransitionTime") ?? since,
  });
}

function condition(type: string, rest: JsonRecord): JsonRecord {
  return defined({ type, status: "True", ...rest });
}

function clustersOf(jobs: readonly MemberJob[]): string {
  return jobs.map(job => job.clusterName).join(", ");
}

function countsOf(previous: JsonRecord, jobs: readonly MemberJob[]): { succeeded: number; failed: number } {
  const statuses = jobs.map(job => job.status);
  return {
    succeeded: Math.max(countAt(previous, "succeeded"), sumAt(statuses, "succeeded")),
    failed: Math.max(countAt(previous, "failed"), sumAt(statuses, "failed")),
  };
}

function startOf(previous: JsonRecord, jobs: readonly MemberJob[]): string | undefined {
  return timeAt(previous, "startTime") ?? earliest(jobs.map(job => timeAt(job.status, "startTime")));
}

function stillRunning(previous: JsonRecord, jobs: readonly MemberJob[], verdict: Verdict): JsonRecord {
  const met = trueCondition(previous, "SuccessCriteriaMet");
  const conditions = verdict.fails ? [verdict.target] : met ? [met] : undefined;
  const active = sumAt(
    jobs.map(job => job.status),
    "active",
  );
  return defined({ active, ...countsOf(previous, jobs), startTime: startOf(previous, jobs), conditions });
}

/** The final status once every member has finished; undefined before. Members that are unknown have not finished. */
function endOf({ template, previous, items }: Aggregation, jobs: readonly MemberJob[], verdict: Verdict) {
  const everyone = items.length > 0 && jobs.length === items.length;
  if (!everyone || !jobs.every(job => job.complete ?? job.failed)) return undefined;
  const ends = jobs.map(job => timeAt(job.complete ?? job.failed ?? {}, "lastTransitionTime"));
  const completions = jobs.map(job => timeAt(job.status, "completionTime"));
  const created = timeAt({ ...template.metadata }, "creationTimestamp");
  const startTime = startOf(previous, jobs) ?? earliest([...ends, ...completions]) ?? created;
  // Without a start time the API server refuses a finished Job.
  if (startTime === undefined) return undefined;

  const common = { active: 0, ...countsOf(previous, jobs), startTime };
  const endedAt = latest([startTime, ...ends, ...completions]);
  if (verdict.fails) {
    // The host's TTL controller counts from this time, and stops with an error where there is none.
    const failed = { ...verdict.target, type: "Failed", lastTransitionTime: endedAt };
    const target = { ...verdict.target, lastTransitionTime: verdict.target.lastTransitionTime ?? endedAt };
    return { ...common, conditions: [target, failed] };
  }
  return {
    ...common,
    completionTime: latest([startTime, ...completions]),
    conditions: success(previous, jobs, endedAt),
  };
}

function success(previous: JsonRecord, jobs: readonly MemberJob[], endedAt: string | undefined): readonly JsonRecord[] {
  const rest = {
    reason: "CompletionsReached",
    message: `completed in ${clustersOf(jobs)}`,
    lastTransitionTime: endedAt,
  };
  const met = trueCondition(previous, "SuccessCriteriaMet") ?? condition("SuccessCriteriaMet", rest);
  return [met, condition("Complete", rest)];
}

function aggregateCronJob({ known }: Aggregation): JsonRecord {
  const active = known.flatMap(item => recordsAt(item.status, "active").map(reference));
  return defined({
    active: active.length > 0 ? active : undefined,
    lastScheduleTime: latest(known.map(item => timeAt(item.status, "lastScheduleTime"))),
    lastSuccessfulTime: latest(known.map(item => timeAt(item.status, "lastSuccessfulTime"))),
  });
}

function reference(active: JsonRecord): JsonRecord {
  return defined(Object.fromEntries(REFERENCE_FIELDS.map(field => [field, textAt(active, field)])));
}
