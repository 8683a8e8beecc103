// Brings one object of a member under this host, and proves that nothing happened to it.
import type { KubeObject } from "../../crds/object.js";
import { ensureNamespace } from "../migrate/apply.js";
import { applyOnHost, bring, type Course, type Mover } from "../migrate/bring.js";
import { readHealth, type Health } from "../migrate/health.js";
import { fullTitleOf } from "../migrate/verdict.js";
import { Problem } from "../problem.js";
import { objectKey } from "../view/adoption.js";
import type { Draft } from "./draft.js";

/** What was seen of one object before and after. */
export interface Promoted {
  readonly template: KubeObject;
  readonly uid: string;
  /** UIDs of Pods that are the same; absent for what can have none. */
  readonly pods?: { readonly before: number; readonly same: number };
}

/** The policy comes first: a template without one goes nowhere, and runs wherever it is. @throws Problem, KubeError */
export async function promote(course: Course, { assessments, templates, policy }: Draft): Promise<readonly Promoted[]> {
  const { fleet, member } = course;
  const live = assessments.map(({ subject }) => subject.live);
  const before = await readHealth(member, live);
  const name = templates[0]?.metadata.namespace;
  if (name !== undefined) await ensureNamespace(course, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  if (policy) await applyOnHost(fleet, policy);
  const movers = assessments.flatMap(({ subject, verdict }, i): Mover[] => {
    const template = templates[i] ?? subject.template;
    const health = before.get(objectKey(template));
    const rollsOut = verdict.state === "changes" && verdict.rollsOut;
    return [{ template, uid: subject.live.metadata.uid ?? "", rollsOut, ...(health && { health }) }];
  });
  const [trouble] = await bring(course, movers);
  if (trouble) {
    const { kind, metadata } = trouble.mover.template;
    const where = metadata.namespace ? ` -n ${metadata.namespace}` : "";
    const hint = `holdfast tree shows where it stands; holdfast rollback ${kind.toLowerCase()}/${metadata.name}${where} --restore brings it back`;
    throw new Problem(`${fullTitleOf(trouble.mover.template)}: ${trouble.why}`, hint);
  }
  const after = await readHealth(member, live);
  return movers.map(mover => promotedOf(mover, after.get(objectKey(mover.template))));
}

function promotedOf({ template, uid, health }: Mover, after: Health | undefined): Promoted {
  if (!health) return { template, uid };
  const now = new Set(after?.pods.map(pod => pod.uid));
  return {
    template,
    uid,
    pods: { before: health.pods.length, same: health.pods.filter(pod => now.has(pod.uid)).length },
  };
}
