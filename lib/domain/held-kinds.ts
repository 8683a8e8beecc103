// Which kinds does an ordinary host hold back, and by which field of `spec`? (design 1)
import type { KubeObject } from "../../crds/object.js";
import { isRecord, sameJson } from "./json-value.js";
import { HELD_MARK } from "./marks.js";

/** Stands for a class, a manager or a gate that nobody serves, and so for "not here". */
export const NOBODY = "holdfast.dev/held";
/** A volume of this name does not exist: a claim that names it waits for ever. */
export const NO_VOLUME = "holdfast-held";

/** A field of `spec` that keeps a controller quiet. */
export interface HeldField {
  readonly name: string;
  /** Whether a value is the hold's, or could be. */
  readonly isHeld: (value: unknown) => boolean;
  /** The value that holds, beside what the authors wrote. */
  readonly hold: (author: unknown) => unknown;
  /** True where the hold's value is nobody else's: it is known without the annotation. */
  readonly sentinel: boolean;
  readonly withoutSentinel: (value: unknown) => unknown;
  /** True where the hold's value stands beside the authors': the field itself says what they wrote. */
  readonly beside: boolean;
  /** True where the authors' own value stays: the admission policy alone holds then. */
  readonly yields: boolean;
  /** Whether the field means anything on this object. */
  readonly applies: (object: KubeObject) => boolean;
  /** False where the API server lets nobody set it later. */
  readonly mutable: boolean;
}

/** One kind. Without fields, the admission policy is its whole hold. */
export interface HeldKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** False for what only acts on others. */
  readonly starts: boolean;
  /** True for what controllers make of other objects: then it is no template, and an admission policy refuses it. */
  readonly oftenMade: boolean;
  readonly fields: readonly HeldField[];
}

const always = (): boolean => true;
const nothing = (): undefined => undefined;

/** Quiets a controller by a value that people use as well; theirs comes first. */
function quiet(name: string, value: unknown): HeldField {
  const isHeld = (now: unknown): boolean => sameJson(now, value);
  const withoutSentinel = (now: unknown): unknown => now;
  const common = { sentinel: false, withoutSentinel, beside: false, applies: always, mutable: true };
  return { ...common, name, isHeld, hold: () => value, yields: true };
}

/** Takes an object out of everybody's hands by a value that is nobody else's. */
function claim(name: string, value: string, rest: Partial<HeldField> = {}): HeldField {
  const isHeld = (now: unknown): boolean => now === value;
  const common = { sentinel: true, withoutSentinel: nothing, beside: false, yields: false, mutable: false };
  return { ...common, name, isHeld, hold: () => value, applies: always, ...rest };
}

/** A gate is one of a list: the others stay. */
const gate: HeldField = claim("schedulingGates", NOBODY, {
  beside: true,
  isHeld: now => gatesIn(now).some(isOurGate),
  hold: author => [...gatesIn(author).filter(each => !isOurGate(each)), { name: NOBODY }],
  withoutSentinel: now => {
    const others = gatesIn(now).filter(each => !isOurGate(each));
    return others.length > 0 ? others : undefined;
  },
});

/** A Pod that names its node needs no scheduler, and may not have gates. */
const node: HeldField = claim("nodeName", "", { isHeld: now => now === undefined, hold: nothing });

const isLoadBalancer = (object: KubeObject): boolean =>
  isRecord(object["spec"]) && object["spec"]["type"] === "LoadBalancer";

const row = (group: string, version: string, kind: string, ...fields: readonly HeldField[]): HeldKind => ({
  ...{ group, version, kind, fields },
  plural: `${kind.toLowerCase()}s`,
  starts: group !== "policy" && group !== "autoscaling",
  oftenMade: ["Pod", "ReplicaSet", "Job"].includes(kind),
});

/** Every kind that starts something, or that a controller of the host would report about. */
export const HELD_KINDS: readonly HeldKind[] = [
  row("apps", "v1", "Deployment", quiet("paused", true)),
  row("apps", "v1", "StatefulSet"),
  row("apps", "v1", "DaemonSet"),
  row("apps", "v1", "ReplicaSet"),
  // Another manager than the host's own is one that the admission policy holds.
  row("batch", "v1", "Job", claim("managedBy", NOBODY, { yields: true })),
  // A deadline of 0 is always past.
  row("batch", "v1", "CronJob", quiet("startingDeadlineSeconds", 0)),
  row("", "v1", "Pod", gate, node),
  row("", "v1", "Service", claim("loadBalancerClass", NOBODY, { applies: isLoadBalancer })),
  row("", "v1", "PersistentVolumeClaim", claim("volumeName", NO_VOLUME)),
  row("", "v1", "ReplicationController"),
  row("policy", "v1", "PodDisruptionBudget"),
  row("autoscaling", "v2", "HorizontalPodAutoscaler"),
];

/** Whether a field may and shall hold now: what cannot be set later is set on CREATE, or was held already. */
export function holdsFor(field: HeldField, object: KubeObject, old: KubeObject | undefined): boolean {
  if (!field.applies(object)) return false;
  if (!old || field.mutable || !field.applies(old)) return true;
  const before = isRecord(old["spec"]) ? old["spec"][field.name] : undefined;
  return field.isHeld(before);
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Whether what the authors last applied has a field of `spec`: then a value that looks like the hold's is theirs. What was
 * copied from a held object says nothing: it bears the hold's annotation.
 */
export function authorsSay({ metadata }: KubeObject, field: string): boolean {
  const text = metadata.annotations?.[LAST_APPLIED];
  const applied = text === undefined ? [] : [fieldsOf(text)];
  const entries = (metadata.managedFields ?? []).filter(entry => entry.operation === "Apply" && !entry.subresource);
  const owned = entries.map(({ fieldsV1 }) => ({
    has: isUnder(fieldsV1, ["f:spec", `f:${field}`]),
    held: isUnder(fieldsV1, ["f:metadata", "f:annotations", `f:${HELD_MARK}`]),
  }));
  return [...applied, ...owned].some(({ has, held }) => has && !held);

  function fieldsOf(json: string): { readonly has: boolean; readonly held: boolean } {
    const said = parsed(json);
    return { has: isUnder(said, ["spec", field]), held: isUnder(said, ["metadata", "annotations", HELD_MARK]) };
  }
}

function isUnder(value: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return isRecord(value) && Object.hasOwn(value, key) && isUnder(value[key], rest);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function gatesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isOurGate(each: unknown): boolean {
  return isRecord(each) && each["name"] === NOBODY;
}
