// Of two states of an object, what is worth showing as a difference?
import type { KubeObject } from "../../crds/object.js";
import { isRecord, sameJson, withoutKeys } from "../../lib/domain/json-value.js";
import { MANAGED_LABEL, RETAIN_REPLICAS_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { yamlOf } from "../output/format.js";

/** Both states as YAML; empty where there is no object. Equal when nothing would change. */
export interface Compared {
  readonly before: string;
  readonly after: string;
}

/** `marks`: also show the labels that a release takes away again. */
export interface CompareOptions {
  readonly marks?: boolean;
}

/**
 * What people and tools wrote, less what the server keeps account of. Values of Secrets are masked; that they differ is
 * shown. The marks are left out: every object that is taken over gets them, and loses them again.
 */
export function compare(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  options: CompareOptions = {},
): Compared {
  const [a, b] = masked(before && essence(before, options), after && essence(after, options));
  return { before: a ? yamlOf(a) : "", after: b ? yamlOf(b) : "" };
}

/** Whether anything would change. */
export const isSame = ({ before, after }: Compared): boolean => before === after;

const BOOKKEEPING = new Set(["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink"]);

function essence({ metadata, ...object }: KubeObject, { marks = false }: CompareOptions): KubeObject {
  const labels = marks ? metadata.labels : withoutKeys(metadata.labels, isMark);
  const kept = Object.entries({ ...metadata, labels }).filter(
    ([key, value]) => !BOOKKEEPING.has(key) && !isBare(value),
  );
  const { status: _status, ...rest } = object;
  // An index signature hides the two fields that every object has.
  return { ...rest, metadata: Object.fromEntries(kept) } as unknown as KubeObject;
}

const MARKS: ReadonlySet<string> = new Set([MANAGED_LABEL, WORK_ID_LABEL, RETAIN_REPLICAS_LABEL]);

function isMark(key: string): boolean {
  return MARKS.has(key);
}

function isBare(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

const MASK = "***";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

type Pair = readonly [KubeObject | undefined, KubeObject | undefined];

function masked(before: KubeObject | undefined, after: KubeObject | undefined): Pair {
  const object = before ?? after;
  if (object?.kind !== "Secret" || object.apiVersion !== "v1") return [before, after];
  return ["data", "stringData"].reduce<Pair>(
    ([a, b], field) => maskedIn(a, b, field),
    [before && withoutValues(before), after && withoutValues(after)],
  );
}

/** kubectl's note of what it had applied repeats the values. */
function withoutValues(secret: KubeObject): KubeObject {
  const { annotations } = secret.metadata;
  if (!annotations?.[LAST_APPLIED]) return secret;
  return { ...secret, metadata: { ...secret.metadata, annotations: { ...annotations, [LAST_APPLIED]: MASK } } };
}

function maskedIn(before: KubeObject | undefined, after: KubeObject | undefined, field: string): Pair {
  const [a, b] = [before?.[field], after?.[field]];
  return [before && withMask(before, field, b, "before"), after && withMask(after, field, a, "after")];
}

function withMask(object: KubeObject, field: string, other: unknown, side: string): KubeObject {
  const values = object[field];
  if (!isRecord(values)) return values === undefined ? object : { ...object, [field]: MASK };
  const hidden = Object.entries(values).map(([key, value]) => {
    const isOther = isRecord(other) && key in other && !sameJson(other[key], value);
    return [key, isOther ? `${MASK} (${side})` : MASK];
  });
  return { ...object, [field]: Object.fromEntries(hidden) };
}
