// What will become of each copy when its template is deleted, and on whose word?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Condition } from "../../crds/object.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import { claimOf, describeClaim } from "../../lib/domain/claims.js";
import { cascadeOfWork } from "../../lib/domain/work-word.js";
import type { Reference } from "../rollback/request.js";
import type { Standing } from "../rollback/standing.js";

/** One copy. */
export interface Preserved {
  readonly object: Reference;
  readonly cluster: string;
  /** As the binding has it on record. */
  readonly word: Cascade;
  /** The kind of rule: TemplateAnnotation, CascadeDeletionPolicy, PolicyField or Default. */
  readonly reason: string;
  /** What decided, in words. */
  readonly by: string;
  /** Whether the Work there says the same: it does a moment after a change. */
  readonly isInWork: boolean;
}

/** Why nothing can be said about a template, or one line for each of its clusters. */
export interface TemplateStatus {
  readonly copies: readonly Preserved[];
  readonly why?: string;
  /** Condition DeletionProtected of the binding. */
  readonly condition?: Condition;
}

/** Pure. */
export function statusOf({ reference, template, binding, works }: Standing): TemplateStatus {
  if (!template) return { copies: [], why: "the host does not have it" };
  if (!binding) return { copies: [], why: "no policy has placed it in a member yet" };
  const claim = claimOf(template);
  const decidedBy = claim ? describeClaim(claim) : "no policy";
  const targets = (binding.spec.clusters ?? []).map(({ name }) => name);
  const clusters = [...new Set([...targets, ...works.map(({ cluster }) => cluster)])].sort();
  const copies = clusters.map((cluster): Preserved => {
    const { cascadeDeletion: word, reason, decidedBy: by } = recordedWord(binding.spec, cluster, decidedBy);
    const work = works.find(one => one.cluster === cluster)?.work;
    return {
      object: reference,
      cluster,
      word,
      reason,
      by,
      isInWork: work !== undefined && cascadeOfWork(work) === word,
    };
  });
  const condition = binding.status?.conditions?.find(({ type }) => type === "DeletionProtected");
  return { copies, ...(condition && { condition }) };
}
