// What does a diff say about one template in all members?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { workName } from "../../lib/domain/names.js";
import type { Visit } from "../access/fleet.js";
import type { Output } from "../output/output.js";
import { compare, isSame, type CompareOptions } from "../preview/compare.js";
import type { TemplatePlan } from "../preview/plan.js";
import type { Preview } from "../preview/preview.js";
import type { Difference } from "./text.js";
import { titleOf } from "../../lib/domain/title.js";

/** What was found. */
export interface Findings {
  readonly differences: readonly Difference[];
  /** False when a member could not be asked. */
  readonly isKnown: boolean;
  /** A member would lose its copy, or be released. */
  readonly isLeaving: boolean;
}

/** What is said about one template. */
export interface ReportInput {
  readonly template: KubeObject;
  readonly plan: TemplatePlan;
  readonly visits: readonly Visit<Preview>[];
  /** The members that a person named. */
  readonly asked: readonly string[] | undefined;
  readonly options: CompareOptions;
}

/** The differences; what cannot be shown as one is said on `output`. */
export function findingsOf(input: ReportInput, output: Pick<Output, "note" | "warn">): Findings {
  const { template, plan, visits, options } = input;
  const what = titleOf(template);
  tellPlan(input, output, what);
  const differences: Difference[] = [];
  let isKnown = true;
  for (const visit of visits) {
    if ("why" in visit) {
      output.warn(`${visit.cluster}: ${what} could not be compared: ${visit.why}`);
      isKnown = false;
      continue;
    }
    tellPreview(visit.answer, `${visit.cluster}: ${what}`, output);
    const compared = compare(visit.answer.before, visit.answer.after, options);
    if (!isSame(compared)) differences.push({ name: `${visit.cluster}/${fileName(template)}`, ...compared });
  }
  return { differences, isKnown, isLeaving: leavingOf(plan, input.asked).length > 0 };
}

function tellPlan({ plan, asked, template }: ReportInput, output: Pick<Output, "note" | "warn">, what: string): void {
  if (!plan.policy) output.warn(`${what}: ${withoutPolicy(plan, asked)}`);
  for (const cluster of plan.policy ? (asked ?? []) : []) {
    if (plan.targets.includes(cluster)) continue;
    const why = plan.rejected.find(rejection => rejection.cluster === cluster)?.why ?? "its policy does not name it";
    output.note(`${cluster}: ${what} does not go there: ${why}`);
  }
  for (const cluster of leavingOf(plan, asked)) {
    const work = workName({ ...gvkOf(template), namespace: template.metadata.namespace, name: template.metadata.name });
    output.warn(
      `${cluster}: ${what} would leave it: it is kept or deleted there as Work karmada-es-${cluster}/${work} says`,
    );
  }
}

function withoutPolicy({ considered }: TemplatePlan, asked: readonly string[] | undefined): string {
  const never = considered.find(({ outcome }) => outcome === "never-template");
  const why = never ? `it is no template: ${never.why}` : "no policy selects it";
  return asked ? `${why}; compared as if one did, with conflictResolution: Overwrite` : `${why}, so it goes nowhere`;
}

function leavingOf({ leaving }: TemplatePlan, asked: readonly string[] | undefined): readonly string[] {
  return leaving.filter(cluster => asked === undefined || asked.includes(cluster));
}

function tellPreview({ action, why, remarks }: Preview, where: string, output: Pick<Output, "note" | "warn">): void {
  if (action === "refuse") output.warn(`${where} would stay as it is: ${why}; shown is what a takeover would change`);
  for (const remark of remarks) output.note(`${where}: ${remark}`);
}

/** As kubectl names its files: `apps.v1.Deployment.shop.web`. */
function fileName(object: KubeObject): string {
  const { group, version, kind } = gvkOf(object);
  const { namespace = "", name } = object.metadata;
  return [group, version, kind, namespace, name]
    .filter(part => part !== "")
    .join(".")
    .replaceAll(/[/:]/g, "-");
}
