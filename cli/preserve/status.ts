// What will become of each copy when its template is deleted, and on whose word?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Work } from "../../crds/work.js";
import { annotationWord, recordedWord } from "../../lib/domain/cascade.js";
import { claimOf, describeClaim } from "../../lib/domain/claims.js";
import { presenceOf, type Presence } from "../../lib/domain/presence.js";
import { cascadeOfWork } from "../../lib/domain/work-word.js";
import type { Reference } from "../rollback/request.js";
import type { Standing } from "../rollback/standing.js";

/** One copy. */
export interface Preserved {
  readonly object: Reference;
  readonly cluster: string;
  /** As the template says itself, or else as the binding has it on record. */
  readonly word: Cascade;
  /** The kind of rule: TemplateAnnotation, CascadeDeletionPolicy, PolicyField or Default. */
  readonly reason: string;
  /** What decided, in words. */
  readonly by: string;
  /** Whose it is, as far as its Work tells. */
  readonly presence: Presence;
  /** Whether it would be kept; false also where that is not known. */
  readonly stays: boolean;
  /** Whether binding and Work say the same: they do a moment after a change. */
  readonly isInWork: boolean;
}

/** One line for each cluster of a template; `why`: what cannot be said about it. */
export interface TemplateStatus {
  readonly copies: readonly Preserved[];
  readonly why?: string;
}

/** Pure. The template's own word decides at once, whether or not the operator has taken it in. */
export function statusOf({ reference, template, binding, works }: Standing): TemplateStatus {
  if (!template) return { copies: [], why: "the host does not have it" };
  if (!binding) return { copies: [], why: "no policy has placed it in a member yet" };
  const claim = claimOf(template);
  const decidedBy = claim ? describeClaim(claim) : "no policy";
  const targets = (binding.spec.clusters ?? []).map(({ name }) => name);
  const clusters = [...new Set([...targets, ...works.map(({ cluster }) => cluster)])].sort();
  const copies = clusters.map((cluster): Preserved => {
    const recorded = recordedWord(binding.spec, cluster, decidedBy);
    const { cascadeDeletion: word, reason, decidedBy: by } = annotationWord(template, cluster) ?? recorded;
    const work = works.find(one => one.cluster === cluster)?.work;
    const isRecorded = recorded.cascadeDeletion === word && recorded.reason === reason;
    const isInWork = isRecorded && work !== undefined && cascadeOfWork(work) === word;
    const presence = presenceOf(work);
    const stays = presence === "Foreign" || staysBy(word, work);
    return { object: reference, cluster, word, reason, by, presence, stays, isInWork };
  });
  const isOutdated = annotationWord(template, "") === undefined && copies.some(isByTemplate);
  return { copies, ...(isOutdated && { why: OUTDATED }) };
}

const MEANINGS = {
  orphan: "stays",
  restore: "stays, with its values of before",
  adopted: "stays if it was there before",
  background: "is deleted",
};

/** What becomes of a copy, for a person. */
export function fateInWords({ presence, word, stays }: Pick<Preserved, "presence" | "word" | "stays">): string {
  if (presence === "Foreign") return "is not ours, and stays";
  if (presence === "Unknown" && !stays) return `${MEANINGS[word]}, if it is ours`;
  return word === "adopted" && stays ? MEANINGS.orphan : MEANINGS[word];
}

const isByTemplate = ({ reason }: Preserved): boolean => reason === "TemplateAnnotation";

const OUTDATED = "its word was taken off, and the operator has yet to say whose word holds now; ask again in a moment";

/** `adopted` keeps what was there before; in doubt the operator keeps, but only of what it has on record. */
function staysBy(word: Cascade, work: Work | undefined): boolean {
  if (word !== "adopted") return word !== "background";
  const origin = work?.status?.manifestStatuses?.[0]?.origin;
  return origin !== undefined && origin !== "Created";
}
