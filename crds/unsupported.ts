// Which fields have no effect yet. Each is refused by name, never accepted and ignored; building one removes its row.
import type { FieldError } from "./field-error.js";

/** One field without effect. */
interface Row {
  readonly kinds: readonly string[];
  /** Below `spec`; `[]` stands for every item of a list. */
  readonly path: string;
  /** The values without effect; by default every value but absent and the empty list. */
  readonly when?: (value: unknown) => boolean;
  /** The field to name, when it is one inside the field at `path`. */
  readonly blame?: string;
  readonly detail?: string;
}

const POLICIES = ["PropagationPolicy", "ClusterPropagationPolicy"];
const OVERRIDES = ["OverridePolicy", "ClusterOverridePolicy"];
const BINDINGS = ["ResourceBinding", "ClusterResourceBinding"];
const PLACED = [...POLICIES, ...BINDINGS];

const NOT_YET = "not supported by this version";

const TABLE: readonly Row[] = [
  { kinds: PLACED, path: "placement.spreadConstraints", detail: `${NOT_YET}; name the clusters in clusterAffinity` },
  {
    kinds: PLACED,
    path: "placement.spreadConstraints[].spreadByLabel",
    detail: `${NOT_YET}; supported will be spreadByField: "cluster", "region"`,
  },
  { kinds: PLACED, path: "placement.clusterAffinities", detail: `${NOT_YET}; write one clusterAffinity` },
  {
    kinds: PLACED,
    path: "placement.replicaScheduling",
    when: isDivided,
    blame: "replicaSchedulingType",
    detail: `Divided is ${NOT_YET}; write "Duplicated", and set replicas by cluster in an OverridePolicy`,
  },
  { kinds: PLACED, path: "placement.workloadAffinity" },
  { kinds: PLACED, path: "failover" },
  { kinds: PLACED, path: "schedulePriority" },
  {
    kinds: PLACED,
    path: "propagateDeps",
    when: isTrue,
    detail: `true is ${NOT_YET}; select ConfigMaps, Secrets and the like in resourceSelectors`,
  },
  { kinds: POLICIES, path: "propagateDependensies", detail: "no such field; write propagateDeps" },
  { kinds: POLICIES, path: "activationPreference", detail: `Lazy is ${NOT_YET}; remove it` },
  { kinds: BINDINGS, path: "gracefulEvictionTasks" },
  { kinds: BINDINGS, path: "workloadAffinityGroups" },
  { kinds: OVERRIDES, path: "overrideRules[].overriders.fieldOverrider", detail: `${NOT_YET}; use plaintext` },
  { kinds: OVERRIDES, path: "overriders.fieldOverrider", detail: `${NOT_YET}; use plaintext` },
  { kinds: ["Cluster"], path: "syncMode", when: isPull, detail: `Pull is ${NOT_YET}; write Push` },
];

/**
 * Names every field of a spec that would be accepted and ignored.
 * @param kind the kind of the object, for example `PropagationPolicy`
 * @param spec its `spec`, in any shape
 */
export function findUnsupported(kind: string, spec: unknown): FieldError[] {
  return TABLE.filter(row => row.kinds.includes(kind)).flatMap(row => findRow(row, spec));
}

function findRow(row: Row, spec: unknown): FieldError[] {
  const matters = row.when ?? isPresent;
  return fieldsAt(spec, "spec", row.path.split("."))
    .filter(field => matters(field.value))
    .map(field => ({
      path: row.blame ? `${field.path}.${row.blame}` : field.path,
      kind: "Forbidden",
      detail: row.detail ?? `${NOT_YET}; remove it`,
    }));
}

interface Field {
  readonly path: string;
  readonly value: unknown;
}

function fieldsAt(value: unknown, path: string, steps: readonly string[]): Field[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [{ path, value }];
  if (!isRecord(value)) return [];
  const name = step.replace("[]", "");
  const child = value[name];
  if (name === step) return fieldsAt(child, `${path}.${name}`, rest);
  if (!Array.isArray(child)) return [];
  return child.flatMap((item, index) => fieldsAt(item, `${path}.${name}[${index}]`, rest));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function isPull(value: unknown): boolean {
  return value === "Pull";
}

/** Divided is also what the API server fills in when `replicaScheduling` stands there without a type. */
function isDivided(value: unknown): boolean {
  return isRecord(value) && value["replicaSchedulingType"] !== "Duplicated";
}
