// What does one rule of an override policy make of a manifest?
import type { KubeObject } from "../../crds/object.js";
import type { LabelAnnotationOverrider, Overriders, PlaintextOverrider } from "../../crds/overriders.js";
import { applyJsonPatch, type PatchOperation } from "./json-patch.js";
import { formatPointer, getAt, parsePointer } from "./json-pointer.js";
import { overrideImages, overrideWords } from "./override-containers.js";

/** A rule that cannot be applied. `path` names the overrider inside the rule, such as `plaintext[0]`. */
export class OverrideRuleError extends Error {
  constructor(
    readonly path: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "OverrideRuleError";
  }
}

interface Step {
  readonly path: string;
  apply(manifest: KubeObject): KubeObject;
}

/**
 * Applies the overriders of one rule in their fixed order: image, command, args, labels, annotations, plaintext.
 * Returns a new manifest; throws {@link OverrideRuleError} for the first that does not fit. Source: spec/karmada 6.
 */
export function applyOverriders(manifest: KubeObject, overriders: Overriders): KubeObject {
  return stepsOf(overriders).reduce((result, { path, apply }) => {
    try {
      return apply(result);
    } catch (cause) {
      throw new OverrideRuleError(path, cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }, manifest);
}

function stepsOf(rule: Overriders): readonly Step[] {
  return [
    ...each("imageOverrider", rule.imageOverrider, overrideImages),
    ...each("commandOverrider", rule.commandOverrider, (manifest, one) => overrideWords(manifest, "command", one)),
    ...each("argsOverrider", rule.argsOverrider, (manifest, one) => overrideWords(manifest, "args", one)),
    ...each("labelsOverrider", rule.labelsOverrider, (manifest, one) => overrideMap(manifest, "labels", one)),
    ...each("annotationsOverrider", rule.annotationsOverrider, (manifest, one) =>
      overrideMap(manifest, "annotations", one),
    ),
    ...each("plaintext", rule.plaintext, applyPlaintext),
  ];
}

function each<T>(
  name: keyof Overriders,
  list: readonly T[] | undefined,
  apply: (manifest: KubeObject, overrider: T) => KubeObject,
): readonly Step[] {
  return (list ?? []).map((one, index) => ({
    path: `${name}[${index}]`,
    apply: manifest => apply(manifest, one),
  }));
}

function overrideMap(
  manifest: KubeObject,
  field: "labels" | "annotations",
  { operator, value }: LabelAnnotationOverrider,
): KubeObject {
  const { [field]: old = {}, ...metadata } = manifest.metadata;
  const map = changeMap(old, operator, value);
  return { ...manifest, metadata: Object.keys(map).length > 0 ? { ...metadata, [field]: map } : metadata };
}

type TextMap = Readonly<Record<string, string>>;

function changeMap(old: TextMap, operator: LabelAnnotationOverrider["operator"], value: TextMap): TextMap {
  if (operator === "add") return { ...old, ...value };
  const isNamed = (key: string) => Object.hasOwn(value, key);
  if (operator === "remove") return Object.fromEntries(Object.entries(old).filter(([key]) => !isNamed(key)));
  return Object.fromEntries(Object.entries(old).map(([key, text]) => [key, value[key] ?? text]));
}

function applyPlaintext(manifest: KubeObject, overrider: PlaintextOverrider): KubeObject {
  const { path } = overrider;
  const operation: PatchOperation =
    overrider.operator === "remove" ? { op: "remove", path } : { op: overrider.operator, path, value: overrider.value };
  try {
    return applyJsonPatch(manifest, [...missingMap(manifest, operation), operation]);
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}${slashHint(path)}`, { cause });
  }
}

// An absent map of labels or annotations and an empty one are the same object to an API server, and pruning may have
// taken the map away under the writer's eyes: `add` makes it, though RFC 6902 alone would refuse.
function missingMap(manifest: KubeObject, { op, path }: PatchOperation): readonly PatchOperation[] {
  if (op !== "add") return [];
  const map = parsePointer(path).slice(0, -1);
  const [owner, field] = map.slice(-2);
  const isMap = owner === "metadata" && (field === "labels" || field === "annotations");
  if (!isMap || getAt(manifest, map) !== undefined) return [];
  return [{ op: "add", path: formatPointer(map), value: {} }];
}

const KEY_IN_PIECES = /^(.*\/metadata\/(?:labels|annotations))\/(.+\/.+)$/;

function slashHint(path: string): string {
  const pieces = KEY_IN_PIECES.exec(path);
  if (!pieces) return "";
  const [, map = "", key = ""] = pieces;
  const bare = key.replace(/^"(.*)"$/, "$1");
  return `. A / inside a key is written ~1: ${map}/${bare.replaceAll("/", "~1")}`;
}
