// What would become of each object if it were taken over now? Asked of the member in dry runs.
import type { Cluster } from "../../crds/cluster.js";
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { isRecord, sameJson } from "../../lib/domain/json-value.js";
import { isFinal, KubeError, messageOf } from "../../lib/kube/errors.js";
import type { MemberAccess } from "../access/member.js";
import { unifiedLines } from "../diff/text.js";
import type { Colors } from "../output/color.js";
import { compare, isSame } from "../preview/compare.js";
import { renderFor, workToBe } from "../preview/plan.js";
import type { Policies } from "../preview/policies.js";
import { previewObject, type Preview } from "../preview/preview.js";
import { objectKey } from "../view/adoption.js";
import { judge, fullTitleOf, type HostFacts, type Subject, type Verdict } from "./verdict.js";

/** What was found out about one object. */
export interface Assessment {
  /** With the template that counts: that of the host where a migration has put one there. */
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** What a person should know beside. */
  readonly remarks: readonly string[];
}

/** What all assessments of one member share. */
export interface AssessContext {
  readonly member: MemberAccess;
  readonly facts: HostFacts;
  readonly policies: Policies;
  /** The host runs what is applied to it. */
  readonly hostRuns: boolean;
  readonly colors: Colors;
}

/** Writes nothing. @throws KubeError when the member does not answer */
export async function assess(subject: Subject, context: AssessContext): Promise<Assessment> {
  const judged = judge(subject, context.facts);
  if (judged.settled) return assessed(judged.subject, judged.settled, context.hostRuns);
  try {
    const preview = await previewed(judged.subject, context);
    const found = assessed(judged.subject, verdictOf(judged.subject, preview, context), context.hostRuns);
    return { ...found, remarks: [...found.remarks, ...preview.remarks] };
  } catch (error) {
    if (isAnswer(error)) return assessed(judged.subject, refusedBy(error, context.member.name), context.hostRuns);
    throw error;
  }
}

/** What is blocked does not come to the host, so there is nothing to say about it there. */
function assessed(subject: Subject, verdict: Verdict, hostRuns: boolean): Assessment {
  const isStarting = hostRuns && verdict.state !== "blocked" && starts(subject.template);
  return { subject, verdict, remarks: isStarting ? ["the host has nodes: it would also start on the host"] : [] };
}

function previewed({ template, live }: Subject, { member, facts, policies }: AssessContext): Promise<Preview> {
  const work = workFor(template, member.cluster, facts);
  const manifest = renderFor(template, member.cluster, policies);
  return previewObject({ member, work, manifest, live, holderOf: () => Promise.resolve(undefined) });
}

function workFor(template: KubeObject, { metadata }: Cluster, { works }: HostFacts) {
  const existing = works.get(objectKey(template));
  return workToBe({ template, cluster: metadata.name, existing, taken: undefined, conflict: "overwrite" });
}

function verdictOf({ template }: Subject, preview: Preview, { member, colors }: AssessContext): Verdict {
  if (preview.action === "create") return GONE;
  if (preview.action === "refuse") return { state: "blocked", why: preview.why ?? "", wayOut: "see the reason" };
  const compared = compare(preview.before, preview.after);
  if (isSame(compared)) return { state: "ready" };
  const name = `${member.name}/${fullTitleOf(template).replaceAll(/[ /]/g, ".")}`;
  const diff = unifiedLines({ name, ...compared }, colors)
    .slice(1)
    .join("\n");
  return { state: "changes", diff, rollsOut: rollsOut(preview) };
}

/** What Pods are made of would be otherwise. */
function rollsOut({ before, after }: Preview): boolean {
  const [old, then] = [before, after].map(object =>
    isRecord(object?.["spec"]) ? object["spec"]["template"] : undefined,
  );
  return old !== undefined && !sameJson(old, then);
}

const GONE: Verdict = {
  state: "blocked",
  why: "it is not in the member any more",
  wayOut: "plan again; apply would make it anew",
};

/** The member has answered, and its answer is about this object: 500 where a webhook of its kind does not answer. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof KubeError)) return error instanceof Error && error.name !== "AbortError";
  return isFinal(error) || [403, 404, 409, 500].includes(error.status);
}

function refusedBy(error: unknown, cluster: string): Verdict {
  const words = messageOf(error).replaceAll("\n", " ");
  const isFixed = /immutable|may not be changed|forbidden: updates to/i.test(words);
  const wayOut = isFixed
    ? "a field that cannot be changed would be: see which OverridePolicy or edit sets it, and take that away; or replace the object in the member yourself"
    : `see what ${cluster} says; correct the object or the policy there, and plan again`;
  return { state: "blocked", why: `${cluster} would refuse it: ${words}`, wayOut };
}

const STARTS = new Set([
  ...["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"].map(kind => `apps/${kind}`),
  ...["batch/Job", "batch/CronJob", "/Pod", "/ReplicationController", "/PersistentVolumeClaim"],
]);

/** Whether an object of this kind runs, or takes storage, wherever it is. */
function starts(object: KubeObject): boolean {
  const { group, kind } = gvkOf(object);
  return STARTS.has(`${group}/${kind}`);
}
