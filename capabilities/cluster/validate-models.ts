// Do these grades of nodes cover every node exactly once?
import type { ResourceModel, ResourceModelRange } from "../../crds/cluster-spec.js";
import type { FieldError } from "../../lib/domain/field-error.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { parseQuantity } from "../../lib/domain/quantity.js";

const MAX_INT64 = "9223372036854775807";

/**
 * Every mistake in resource models: grades are unique and have the same resources; by grade, the ranges of a resource
 * follow one another without a gap, from 0 to the greatest integer (spec/karmada 3.4).
 */
export function resourceModelErrors(models: readonly ResourceModel[], path: string): FieldError[] {
  const listed = models.map((model, index) => ({ model, path: `${path}[${index}]` }));
  const own = listed.flatMap(({ model, path: at }, index) => [
    ...gradeErrors(models, index, at),
    ...sameResources(models[0], model, at),
    ...model.ranges.flatMap((range, place) => rangeErrors(range, `${at}.ranges[${place}]`)),
  ]);
  if (own.length > 0) return own;

  const sorted = [...listed].sort((a, b) => a.model.grade - b.model.grade);
  return (sorted[0]?.model.ranges ?? []).flatMap(({ name }) => gapErrors(sorted, name));
}

interface ListedModel {
  readonly model: ResourceModel;
  readonly path: string;
}

function gradeErrors(models: readonly ResourceModel[], index: number, path: string): FieldError[] {
  const grade = models[index]?.grade;
  if (models.findIndex(model => model.grade === grade) === index) return [];
  return [{ path: `${path}.grade`, kind: "Duplicate", value: grade, detail: "number the grades 0, 1, 2 and so on" }];
}

function sameResources(first: ResourceModel | undefined, model: ResourceModel, path: string): FieldError[] {
  const names = (of: ResourceModel | undefined) => of?.ranges.map(range => range.name).sort();
  if (sameJson(names(first), names(model))) return [];
  const detail = "every grade needs a range for the same resources";
  return [{ path: `${path}.ranges`, kind: "Invalid", value: names(model), detail }];
}

function rangeErrors({ name, min, max }: ResourceModelRange, path: string): FieldError[] {
  if (amount(max) > amount(min)) return [];
  const detail = `must be more than min, which is ${min} for ${name}`;
  return [{ path: `${path}.max`, kind: "Invalid", value: max, detail }];
}

function gapErrors(sorted: readonly ListedModel[], name: string): FieldError[] {
  return sorted.flatMap(({ model, path }, index) => {
    const place = model.ranges.findIndex(range => range.name === name);
    const range = model.ranges[place];
    const below = sorted[index - 1]?.model.ranges.find(other => other.name === name);
    if (!range) return [];
    const at = `${path}.ranges[${place}]`;
    const isLast = index === sorted.length - 1;
    return [
      ...mustBe(
        range.min,
        below?.max ?? 0,
        `${at}.min`,
        below ? "must go on where the grade below ends" : "the lowest grade begins at 0",
      ),
      ...(isLast ? mustBe(range.max, MAX_INT64, `${at}.max`, "the highest grade has no end") : []),
    ];
  });
}

function mustBe(value: string | number, wanted: string | number, path: string, why: string): FieldError[] {
  if (amount(value) === amount(wanted)) return [];
  return [{ path, kind: "Invalid", value, detail: `${why}; write ${wanted}` }];
}

function amount(quantity: string | number): bigint {
  return parseQuantity(quantity).nano;
}
