// What do image, command and argument overrides make of a workload's containers?
import type { CommandArgsOverrider, ImageOverrider } from "../../crds/overriders.js";
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { applyImageOverride } from "./images.js";
import { getAt, parsePointer } from "./json-pointer.js";
import { applyJsonPatch } from "./json-patch.js";
import { isRecord, updateAt } from "./json-value.js";

const POD_TEMPLATE = ["spec", "template", "spec"];

/** Where the kinds that overriders know keep their pod spec (spec/karmada 6); other kinds have none for them. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  "/Pod": ["spec"],
  "apps/Deployment": POD_TEMPLATE,
  "apps/ReplicaSet": POD_TEMPLATE,
  "apps/DaemonSet": POD_TEMPLATE,
  "apps/StatefulSet": POD_TEMPLATE,
  "batch/Job": POD_TEMPLATE,
};

/**
 * Changes the image at the predicate's path or, without one, of every container (init containers are not meant).
 * A kind without containers stays as it is. Throws an Error for a path without a text and for images that are none.
 */
export function overrideImages(manifest: KubeObject, overrider: ImageOverrider): KubeObject {
  if (overrider.predicate) return overrideImageAt(manifest, overrider.predicate.path, overrider);
  return mapContainers(manifest, container =>
    updateAt(container, ["image"], image => (typeof image === "string" ? applyImageOverride(image, overrider) : image)),
  );
}

function overrideImageAt(manifest: KubeObject, path: string, overrider: ImageOverrider): KubeObject {
  const image = getAt(manifest, parsePointer(path));
  if (typeof image !== "string") {
    throw new Error(`predicate.path ${JSON.stringify(path)} names no text of the object; name the field of one image`);
  }
  return applyJsonPatch(manifest, [{ op: "replace", path, value: applyImageOverride(image, overrider) }]);
}

/**
 * Changes `command` or `args` of the container of that name: `add` appends the values, `remove` drops every one that is
 * listed, and the field with its last value. An unknown container or a kind without containers stays as it is.
 */
export function overrideWords(
  manifest: KubeObject,
  field: "command" | "args",
  overrider: CommandArgsOverrider,
): KubeObject {
  return mapContainers(manifest, container => {
    if (container.name !== overrider.containerName) return container;
    const { [field]: old, ...rest } = container;
    const words = changeWords(Array.isArray(old) ? old : [], overrider);
    return words.length > 0 ? { ...container, [field]: words } : rest;
  });
}

function changeWords(old: readonly unknown[], { operator, value = [] }: CommandArgsOverrider): readonly unknown[] {
  return operator === "add" ? [...old, ...value] : old.filter(word => !value.some(drop => drop === word));
}

type Container = Readonly<Record<string, unknown>>;

function mapContainers(manifest: KubeObject, change: (container: Container) => Container): KubeObject {
  const { group, kind } = gvkOf(manifest);
  const podSpec = POD_SPECS[`${group}/${kind}`];
  if (!podSpec) return manifest;
  const changeOne = (container: unknown) => (isRecord(container) ? change(container) : container);
  return updateAt(manifest, [...podSpec, "containers"], list => (Array.isArray(list) ? list.map(changeOne) : list));
}
