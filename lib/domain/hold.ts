// What keeps a template from starting on an ordinary host, and what did its authors write there instead? (design 1)
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { authorsSay, holdsFor, HELD_KINDS, type HeldField, type HeldKind } from "./held-kinds.js";
import { isRecord, sameJson, withoutKeys } from "./json-value.js";
import { HELD_MARK, TEMPLATES_LABEL } from "./marks.js";

/** field of `spec` -> what the authors wrote there; `null` for nothing. The value of the annotation, as JSON. */
type Memory = Readonly<Record<string, unknown>>;

/** The row of a kind that is held, in any of its versions. */
export function heldKindOf(object: Pick<KubeObject, "apiVersion" | "kind">): HeldKind | undefined {
  const { group, kind } = gvkOf(object);
  return HELD_KINDS.find(each => each.group === group && each.kind === kind);
}

/** Whether a namespace holds what is in it back. */
export function holdsTemplates({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[TEMPLATES_LABEL] === "true";
}

/** Whether an object bears the mark of the hold. */
export function isMarked({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[HELD_MARK] === "true";
}

/**
 * True when the host's own controllers do not report about an object, so that we do: it is held, and in a namespace of
 * templates.
 */
export function isHeld(object: KubeObject, namespace: KubeObject | undefined): boolean {
  return heldKindOf(object) !== undefined && isMarked(object) && namespace !== undefined && holdsTemplates(namespace);
}

/**
 * The object as it is to be stored in a namespace of templates: with the label, and with the field that keeps its
 * controller quiet, unless its authors set one that yields to them. What they wrote stands in the annotation. Holding what
 * is held changes nothing.
 * @param old the object as it was; absent on CREATE
 */
export function hold(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const kind = heldKindOf(object);
  if (!kind || kind.fields.some(field => isAtLarge(field, object, old))) return object;
  const known = { ...memoryOf(old), ...memoryOf(object) };
  const plans = kind.fields.map(field => planField({ field, object, old, known }));
  const spec = plans.reduce((so, { field, value }) => withField(so, field.name, value), specOf(object));
  const memory = Object.fromEntries(plans.flatMap(({ field, author }) => (author ? [[field.name, author.wrote]] : [])));
  return { ...object, metadata: markedWith(object.metadata, memory), ...(isRecord(object["spec"]) ? { spec } : {}) };
}

/** What its authors wrote where the hold stands, in a manifest that was made from the template. */
export function withoutHold(template: KubeObject, manifest: KubeObject): KubeObject {
  const kind = heldKindOf(template);
  if (!kind || kind.fields.length === 0) return manifest;
  const known = memoryOf(template);
  return kind.fields.reduce((so, field) => {
    const now = specOf(template)[field.name];
    if (!field.isHeld(now) || !(field.sentinel || Object.hasOwn(known, field.name))) return so;
    return { ...so, spec: withField(specOf(so), field.name, authorValue(field, now, known) ?? undefined) };
  }, manifest);
}

/** The object without any of the hold's marks, and with what its authors wrote: as it would be in any other namespace. */
export function released(object: KubeObject): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const isMark = (key: string): boolean => key === HELD_MARK;
  const bare = { ...metadata, labels: withoutKeys(labels, isMark), annotations: withoutKeys(annotations, isMark) };
  return withoutHold(object, { ...object, metadata: bare });
}

/**
 * What is reported of an object, less what its controller on this host would look for in vain: a CronJob's looks for each
 * Job that is said to be active, and says in an Event and a write of its own that it went missing.
 */
export function withoutAlarms(object: KubeObject, status: unknown): unknown {
  if (object.kind !== "CronJob" || !isMarked(object) || !isRecord(status)) return status;
  return withoutKeys(status, key => key === "active");
}

/** Fields of `spec` whose value the authors chose and that the hold has taken the place of. */
export function overwritten(object: KubeObject): readonly string[] {
  const kind = heldKindOf(object);
  return Object.entries(memoryOf(object))
    .filter(([name, wrote]) => wrote !== null && kind?.fields.some(field => field.name === name))
    .map(([name]) => name);
}

/**
 * The path by which a request takes the hold away in vain; `undefined` for every other request. Who leaves the hold's
 * annotation where it is has seen the held object; a manifest that never named the field, put in its place, means nothing by
 * lacking it.
 * @param object as it came
 * @param old as it was
 */
export function takenInVain(object: KubeObject, old: KubeObject | undefined): string | undefined {
  const kind = heldKindOf(object);
  if (!kind || !old || object.metadata.annotations?.[HELD_MARK] === undefined) return undefined;
  const [before, now, after] = [specOf(old), specOf(object), specOf(hold(object, old))];
  const field = kind.fields
    .filter(({ name, beside }) => beside || now[name] === undefined)
    .find(({ name, isHeld: holds }) => holds(before[name]) && !holds(now[name]) && holds(after[name]));
  if (field && Object.hasOwn(memoryOf(old), field.name)) return `spec.${field.name}`;
  return isMarked(old) && !isMarked(object) ? `metadata.labels[${HELD_MARK}]` : undefined;
}

/** What runs here already cannot be held any more, and its status is the host's. */
function isAtLarge(field: HeldField, object: KubeObject, old: KubeObject | undefined): boolean {
  return !field.yields && field.applies(object) && !holdsFor(field, object, old);
}

interface FieldRequest {
  readonly field: HeldField;
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly known: Memory;
}

interface FieldPlan {
  readonly field: HeldField;
  readonly value: unknown;
  /** Present where the hold's value differs from the authors'. */
  readonly author?: { readonly wrote: unknown };
}

function planField({ field, object, old, known }: FieldRequest): FieldPlan {
  const now = specOf(object)[field.name];
  const isTheirs = field.isHeld(now) && authorsSay(object, field.name);
  const wrote = (isTheirs ? now : authorValue(field, now, known)) ?? undefined;
  const free = { field, value: wrote };
  if (!holdsFor(field, object, old) || (field.yields && wrote !== undefined)) return free;
  const value = field.hold(wrote);
  return sameJson(value, wrote) ? free : { field, value, author: { wrote: wrote ?? null } };
}

/** What the authors wrote, as far as the field's value now and the annotation tell. */
function authorValue(field: HeldField, now: unknown, known: Memory): unknown {
  if (!field.isHeld(now)) return now;
  if (!field.beside && Object.hasOwn(known, field.name)) return known[field.name];
  return field.sentinel ? field.withoutSentinel(now) : now;
}

function markedWith({ labels, annotations, ...metadata }: KubeObject["metadata"], memory: Memory) {
  const others = withoutKeys(annotations, key => key === HELD_MARK);
  const mark = Object.keys(memory).length > 0 ? { [HELD_MARK]: JSON.stringify(memory) } : undefined;
  return {
    ...metadata,
    labels: { ...labels, [HELD_MARK]: "true" },
    ...(others || mark ? { annotations: { ...others, ...mark } } : {}),
  };
}

/** Empty when there is no annotation, or one that somebody has edited into something else. */
function memoryOf(object: KubeObject | undefined): Memory {
  try {
    const value: unknown = JSON.parse(object?.metadata.annotations?.[HELD_MARK] ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function withField(spec: Readonly<Record<string, unknown>>, name: string, value: unknown) {
  const { [name]: _replaced, ...others } = spec;
  return value === undefined ? others : { ...others, [name]: value };
}

function specOf(object: KubeObject): Readonly<Record<string, unknown>> {
  return isRecord(object["spec"]) ? object["spec"] : {};
}
