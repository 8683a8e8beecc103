// Do these labels satisfy that label selector, and is the selector itself well formed?
import { notSupported, type FieldError } from "./field-error.js";

/** metav1.LabelSelectorRequirement, before anyone has checked its operator. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** metav1.LabelSelector, before anyone has checked it; `LabelSelector` of crds/ fits. */
export interface UncheckedLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

type Labels = Readonly<Record<string, string>> | undefined;

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];
const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Whether labels satisfy a selector. Absent and empty select everything. A requirement that is not well formed is not
 * satisfied: an object that nobody clearly asked for stays where it is.
 */
export function matchesLabelSelector(selector: UncheckedLabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return true;

  const required = Object.entries(selector.matchLabels ?? {});
  if (!required.every(([key, value]) => valueOf(labels, key) === value)) return false;
  return (selector.matchExpressions ?? []).every(requirement =>
    satisfies(valueOf(labels, requirement.key), requirement),
  );
}

/**
 * Every mistake in a selector. `path` is where it stands, as in `spec.resourceSelectors[0].labelSelector`.
 * Source: the API conventions for label selectors, keys and values.
 */
export function validateLabelSelector(selector: UncheckedLabelSelector | undefined, path: string): FieldError[] {
  const labels = Object.entries(selector?.matchLabels ?? {}).flatMap(([key, value]) => [
    ...validateLabelKey(key, `${path}.matchLabels`),
    ...validateLabelValue(value, `${path}.matchLabels[${key}]`),
  ]);
  const expressions = (selector?.matchExpressions ?? []).flatMap((requirement, index) =>
    validateRequirement(requirement, `${path}.matchExpressions[${index}]`),
  );
  return [...labels, ...expressions];
}

/** What keeps a text from being a label key: an optional DNS prefix, `/`, and a name of at most 63 characters. */
export function validateLabelKey(key: string, path: string): FieldError[] {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  const [prefix, ...more] = parts;
  if (LABEL_NAME.test(name) && more.length === 0 && (prefix === undefined || LABEL_PREFIX.test(prefix))) return [];
  const detail = "not a label key; write name or dns.prefix/name, the name with at most 63 letters, digits, - _ or .";
  return [{ path, kind: "Invalid", value: key, detail }];
}

/** What keeps a text from being a label value: empty, or at most 63 characters between two letters or digits. */
export function validateLabelValue(value: string, path: string): FieldError[] {
  if (value === "" || LABEL_NAME.test(value)) return [];
  const detail =
    "not a label value; use at most 63 letters, digits, - _ or ., beginning and ending with a letter or digit";
  return [{ path, kind: "Invalid", value, detail }];
}

function satisfies(value: string | undefined, { operator, values = [] }: LabelRequirement): boolean {
  const listed = value !== undefined && values.includes(value);
  switch (operator) {
    case "In":
      return listed;
    case "NotIn":
      return values.length > 0 && !listed;
    case "Exists":
    case "DoesNotExist":
      return values.length === 0 && (value !== undefined) === (operator === "Exists");
    default:
      return false;
  }
}

function validateRequirement({ key, operator, values = [] }: LabelRequirement, path: string): FieldError[] {
  return [
    ...validateLabelKey(key, `${path}.key`),
    ...validateOperator(operator, values, path),
    ...values.flatMap((value, index) => validateLabelValue(value, `${path}.values[${index}]`)),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  if (!OPERATORS.includes(operator)) return [notSupported(`${path}.operator`, operator, OPERATORS)];

  const comparesValues = operator === "In" || operator === "NotIn";
  if (comparesValues && values.length === 0) {
    return [{ path: `${path}.values`, kind: "Required", detail: `operator ${operator} needs at least one value` }];
  }
  if (!comparesValues && values.length > 0) {
    const detail = `operator ${operator} takes no values; remove them, or use In`;
    return [{ path: `${path}.values`, kind: "Forbidden", detail }];
  }
  return [];
}

function valueOf(labels: Labels, key: string): string | undefined {
  // Own keys only: a label selector on "constructor" must not find Object's.
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
