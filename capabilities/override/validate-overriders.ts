// What is wrong in the overriders of one rule?
import type {
  CommandArgsOverrider,
  ImageOverrider,
  LabelAnnotationOverrider,
  Overriders,
  PlaintextOverrider,
} from "../../crds/overriders.js";
import type { FieldError } from "../../lib/domain/field-error.js";
import { applyImageOverride } from "../../lib/domain/images.js";
import { validateLabelKey, validateLabelValue } from "../../lib/domain/label-selector.js";
import { OWN_MARKS, pointerErrors } from "./pointer.js";

/** Every mistake in overriders that stand at `path` (spec/karmada 3.3 and 6). */
export function overriderErrors(overriders: Overriders, path: string): FieldError[] {
  const { plaintext, imageOverrider, commandOverrider, argsOverrider, labelsOverrider, annotationsOverrider } =
    overriders;
  return [
    ...eachOf(plaintext, `${path}.plaintext`, plaintextErrors),
    ...eachOf(imageOverrider, `${path}.imageOverrider`, imageErrors),
    ...eachOf(commandOverrider, `${path}.commandOverrider`, wordErrors),
    ...eachOf(argsOverrider, `${path}.argsOverrider`, wordErrors),
    ...eachOf(labelsOverrider, `${path}.labelsOverrider`, labelErrors),
    ...eachOf(annotationsOverrider, `${path}.annotationsOverrider`, annotationErrors),
  ];
}

/** Whether the overriders say anything at all. */
export function hasOverriders(overriders: Overriders | undefined): boolean {
  return Object.values(overriders ?? {}).some(list => Array.isArray(list) && list.length > 0);
}

function eachOf<Item>(
  items: readonly Item[] | undefined,
  path: string,
  check: (item: Item, path: string) => FieldError[],
): FieldError[] {
  return (items ?? []).flatMap((item, index) => check(item, `${path}[${index}]`));
}

function plaintextErrors({ path: pointer, operator, value }: PlaintextOverrider, path: string): FieldError[] {
  return [...pointerErrors(pointer, `${path}.path`), ...valueErrors(operator, value, `${path}.value`)];
}

function imageErrors(overrider: ImageOverrider, path: string): FieldError[] {
  const { predicate, operator, value } = overrider;
  const missing = valueErrors(operator, value === "" ? undefined : value, `${path}.value`);
  return [
    ...(predicate ? pointerErrors(predicate.path, `${path}.predicate.path`) : []),
    ...(missing.length > 0 ? missing : imagePartErrors(overrider, `${path}.value`)),
  ];
}

/** Tries a replacement on an image that can take any; what add makes depends on the image that is there. */
function imagePartErrors({ component, operator, value }: ImageOverrider, path: string): FieldError[] {
  if (operator !== "replace") return [];
  try {
    applyImageOverride("registry.example/name:tag", { component, operator, value });
    return [];
  } catch {
    return [
      { path, kind: "Invalid", value, detail: `not a ${component.toLowerCase()} of an image; ${EXAMPLES[component]}` },
    ];
  }
}

const EXAMPLES = {
  Registry: "write a host, as in registry.example:5000",
  Repository: "write a name without registry and tag, as in team/web",
  Tag: "write a tag, as in v1.2, or a digest, as in sha256:…",
};

function valueErrors(operator: "add" | "remove" | "replace", value: unknown, path: string): FieldError[] {
  if (operator === "remove" && value !== undefined) {
    return [{ path, kind: "Forbidden", detail: "remove takes no value; remove this line" }];
  }
  if (operator !== "remove" && value === undefined) {
    return [{ path, kind: "Required", detail: `${operator} needs a value; to take something away, use remove` }];
  }
  return [];
}

function wordErrors({ containerName, operator, value = [] }: CommandArgsOverrider, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (containerName === "")
    errors.push({ path: `${path}.containerName`, kind: "Required", detail: "name a container" });
  if (value.length > 0) return errors;
  return [...errors, { path: `${path}.value`, kind: "Required", detail: `write the words to ${operator}` }];
}

function labelErrors(overrider: LabelAnnotationOverrider, path: string): FieldError[] {
  const values = Object.entries(overrider.value).flatMap(([key, value]) =>
    overrider.operator === "remove" ? [] : validateLabelValue(value, `${path}.value[${key}]`),
  );
  const marks = OWN_MARKS.filter(mark => Object.hasOwn(overrider.value, mark)).map((mark): FieldError => {
    const detail = "this label is how the object is known in the cluster; it cannot be overridden";
    return { path: `${path}.value[${mark}]`, kind: "Forbidden", detail };
  });
  return [...annotationErrors(overrider, path), ...values, ...marks];
}

function annotationErrors({ value }: LabelAnnotationOverrider, path: string): FieldError[] {
  const keys = Object.keys(value);
  if (keys.length === 0) return [{ path: `${path}.value`, kind: "Required", detail: "write at least one key" }];
  return keys.flatMap(key => validateLabelKey(key, `${path}.value`));
}
