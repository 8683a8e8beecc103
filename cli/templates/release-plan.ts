// What happens to each object of a namespace of templates when the namespace stops being one?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { claimOf } from "../../lib/domain/claims.js";
import { heldKindOf, released } from "../../lib/domain/hold.js";
import { isRecord, withoutKeys } from "../../lib/domain/json-value.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";

/** Pepr's own note on what the hold was shown; the first builds left it there. */
const PEPR_NOTE = "holdfast.pepr.dev/holdfast-hold";

/**
 * How an object comes to run here. `edit`: by a write. `remake`: the field that holds it can never change, so it is deleted and
 * made again. `stays`: that would take its copies along, so it goes on being held.
 */
export type Way =
  | { readonly how: "edit"; readonly object: KubeObject }
  | { readonly how: "remake"; readonly object: KubeObject }
  | { readonly how: "stays"; readonly why: string };

/** One object of the namespace. */
export interface Released {
  readonly template: KubeObject;
  readonly way: Way;
  /** What begins to run here, in words; `undefined`: nothing. */
  readonly starts: string | undefined;
}

/** Pure. */
export function planRelease(template: KubeObject): Released {
  const object = withoutNotes(released(template));
  const starts = startsOf(object);
  if (!isFixed(template)) return { template, way: { how: "edit", object }, starts };
  const isClaimed = claimOf(template) !== undefined || template.metadata.finalizers?.includes(LET_GO_FINALIZER);
  if (!isClaimed) return { template, way: { how: "remake", object: remade(object) }, starts };
  const why = "a policy sends it to members, and making it again would take its copies along; delete the policy first";
  return { template, way: { how: "stays", why }, starts: undefined };
}

/** True where a field that cannot change any more holds it. A gate of a Pod can be taken off; its node cannot be named later. */
function isFixed(template: KubeObject): boolean {
  const author = released(template);
  const fields = heldKindOf(template)?.fields.filter(field => !field.mutable) ?? [];
  return fields.some(({ name }) => {
    const [now, then] = [specOf(template)[name], specOf(author)[name]];
    return name !== "schedulingGates" && JSON.stringify(now) !== JSON.stringify(then);
  });
}

function withoutNotes(object: KubeObject): KubeObject {
  const annotations = withoutKeys(object.metadata.annotations, key => key === PEPR_NOTE);
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** As its authors would make it; addresses and ports that the one that goes has, it gets again. */
function remade({ metadata, ...object }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = metadata;
  const { status: _of, ...rest } = { ...object, metadata: { name, namespace, labels, annotations } } as KubeObject;
  return rest.kind === "Job" ? withoutSelector(rest) : rest;
}

const GENERATED = /(^|\/)(controller-uid|job-name)$/;

/** An API server makes the selector of a Job from its uid. */
function withoutSelector(job: KubeObject): KubeObject {
  const { selector, template, ...spec } = specOf(job);
  if (spec["manualSelector"] === true) return job;
  const { metadata, ...podTemplate } = isRecord(template) ? template : {};
  const labels = isRecord(metadata) && isRecord(metadata["labels"]) ? metadata["labels"] : {};
  const kept = withoutKeys(labels, key => GENERATED.test(key));
  const marks = { ...(isRecord(metadata) ? metadata : {}), labels: kept };
  return { ...job, spec: { ...spec, template: { ...podTemplate, metadata: marks } } };
}

type Spec = Readonly<Record<string, unknown>>;

const pods = (count: unknown): string => `${typeof count === "number" ? count : 1} pod(s)`;
const unless = (is: unknown, what: string): string | undefined => (is === true ? undefined : what);
const asMany = ({ replicas }: Spec): string => pods(replicas);

const STARTS: Readonly<Record<string, (spec: Spec) => string | undefined>> = {
  "apps/Deployment": ({ paused, replicas }) => unless(paused, pods(replicas)),
  "apps/StatefulSet": asMany,
  "apps/ReplicaSet": asMany,
  "/ReplicationController": asMany,
  "apps/DaemonSet": () => "a pod on each node",
  "batch/Job": ({ suspend, parallelism }) => unless(suspend, pods(parallelism)),
  "batch/CronJob": ({ suspend, schedule }) => unless(suspend, `jobs, at ${String(schedule)}`),
  "/Pod": () => "a pod",
  "/Service": ({ type }) => unless(type !== "LoadBalancer", "a load balancer"),
  "/PersistentVolumeClaim": () => "a volume",
};

function startsOf(object: KubeObject): string | undefined {
  return STARTS[`${gvkOf(object).group}/${object.kind}`]?.(specOf(object));
}

function specOf(object: KubeObject): Spec {
  return isRecord(object["spec"]) ? object["spec"] : {};
}
