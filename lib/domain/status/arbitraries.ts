// Which reports might members send, likely and unlikely, well-formed and not? For tests only.
import fc from "fast-check";
import type { KubeObject } from "../../../crds/object.js";
import type { StatusItem } from "./index.js";

type Arbitrary = fc.Arbitrary<Readonly<Record<string, unknown>>>;

const count = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(-3, 1.5, 2_147_483_647, 2 ** 40, "2", null) },
);
const time = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .integer({ min: 0, max: 600 })
      .map(seconds => new Date(Date.UTC(2025, 0, 1) + seconds * 1000).toISOString().replace(".000Z", "Z")),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("2025-01-01T02:00:00.123456+02:00", "soon", "", null, 7) },
);
const partial = (model: Record<string, fc.Arbitrary<unknown>>): Arbitrary => fc.record(model, { requiredKeys: [] });
const counts = (...fields: string[]): Arbitrary => partial(Object.fromEntries(fields.map(field => [field, count])));
const merged = (...parts: Arbitrary[]): Arbitrary =>
  fc.tuple(...parts).map(values => values.reduce((all, value) => ({ ...all, ...value }), {}));

const generations = counts("observedGeneration", "generation", "resourceTemplateGeneration");
const jobCondition = fc.record({
  type: fc.constantFrom("Complete", "Failed", "FailureTarget", "SuccessCriteriaMet", "Suspended"),
  status: fc.constantFrom("True", "True", "False"),
  reason: fc.constantFrom("BackoffLimitExceeded", "DeadlineExceeded", ""),
  lastTransitionTime: time,
});
/** Up to one condition of each of these types, as members write them or as nobody ever should. */
const conditions = (...types: string[]): Arbitrary => {
  const rest = partial({
    reason: fc.constantFrom<unknown>("NewReplicaSetAvailable", "ProgressDeadlineExceeded", "Not a reason!", "", 7),
    message: fc.constantFrom<unknown>("quota exceeded", "m😀".repeat(20_000), ""),
    lastTransitionTime: time,
  });
  const one = fc
    .tuple(fc.constantFrom(...types), fc.constantFrom<unknown>("True", "False", "Unknown", "Maybe"), rest)
    .map(([type, status, more]) => ({ type, status, ...more }));
  return partial({ conditions: fc.uniqueArray(one, { maxLength: types.length, selector: each => each.type }) });
};
const state = fc.oneof(
  fc.constant({}),
  fc.record({ waiting: partial({ reason: fc.constant("ContainerCreating"), message: fc.constant("m") }) }),
  fc.record({ running: partial({ startedAt: time }) }),
  fc.record({
    terminated: partial({
      exitCode: fc.constantFrom<unknown>(0, 1, 137, -1, 2 ** 35, "x"),
      signal: count,
      finishedAt: time,
    }),
  }),
);
const containers = fc.array(
  partial({ name: fc.constantFrom("c", "d", "once", "sidecar"), ready: fc.boolean(), state, image: fc.constant("i") }),
  { maxLength: 3 },
);
const address = partial({
  ip: fc.constantFrom<unknown>("10.0.0.1", "10.0.0.2", "fd00::1", "010.0.0.1", "no", 3),
  hostname: fc.constantFrom<unknown>("lb.example", "lb2.example", "Bad_Name", "10.0.0.9"),
  ipMode: fc.constantFrom("VIP", "Proxy", "Odd"),
  ports: fc.array(
    partial({ port: count, protocol: fc.constantFrom("TCP", "UDP"), error: fc.constantFrom("a.example/Bad") }),
    {
      maxLength: 2,
    },
  ),
});
const addresses = partial({ loadBalancer: partial({ ingress: fc.array(address, { maxLength: 3 }) }) });
const phased = (...phases: string[]): Arbitrary => partial({ phase: fc.constantFrom<unknown>(...phases, "Odd", 1) });

/** Member statuses by `<group>/<kind>`, for every aggregated kind. */
export const memberStatuses: Readonly<Record<string, Arbitrary>> = {
  "apps/Deployment": merged(
    counts("replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"),
    generations,
    conditions("Available", "Progressing", "ReplicaFailure"),
  ),
  "apps/ReplicaSet": merged(
    counts("replicas", "readyReplicas", "availableReplicas"),
    generations,
    conditions("ReplicaFailure"),
  ),
  "apps/StatefulSet": merged(
    counts("replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "currentReplicas"),
    generations,
    partial({ currentRevision: fc.constantFrom("a", "b"), updateRevision: fc.constantFrom("a", "b") }),
  ),
  "apps/DaemonSet": merged(
    counts("currentNumberScheduled", "desiredNumberScheduled", "numberAvailable", "numberMisscheduled"),
    counts("numberReady", "updatedNumberScheduled", "numberUnavailable"),
    generations,
  ),
  "batch/Job": merged(
    counts("active", "succeeded", "failed"),
    partial({ startTime: time, completionTime: time, conditions: fc.array(jobCondition, { maxLength: 2 }) }),
  ),
  "batch/CronJob": partial({
    active: fc.array(partial({ kind: fc.constant("Job"), name: fc.constantFrom<unknown>("a", "b", 3) }), {
      maxLength: 2,
    }),
    lastScheduleTime: time,
    lastSuccessfulTime: time,
  }),
  "/Pod": merged(
    phased("Pending", "Running", "Succeeded", "Failed"),
    partial({ containerStatuses: containers, initContainerStatuses: containers }),
    conditions("PodScheduled", "Initialized", "ContainersReady", "Ready", "example.com/gate"),
  ),
  "/Service": addresses,
  "networking.k8s.io/Ingress": addresses,
  "/PersistentVolumeClaim": phased("Pending", "Bound", "Lost"),
  "/PersistentVolume": phased("Failed", "Pending", "Available", "Bound", "Released"),
  "policy/PodDisruptionBudget": merged(
    counts("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
    partial({ disruptedPods: fc.dictionary(fc.constantFrom("p-0", "p-1"), time) }),
    conditions("DisruptionAllowed"),
  ),
  "autoscaling/HorizontalPodAutoscaler": merged(
    counts("currentReplicas", "desiredReplicas"),
    conditions("AbleToScale", "ScalingActive", "ScalingLimited"),
  ),
};

/** What up to three members say of one object of that kind; some say nothing. */
export function memberItems(key: string): fc.Arbitrary<readonly StatusItem[]> {
  const said = memberStatuses[key] ?? fc.constant({});
  const status: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 9, arbitrary: said },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  const item = (clusterName: string): fc.Arbitrary<StatusItem | undefined> =>
    fc.option(fc.record({ clusterName: fc.constant(clusterName), status, applied: fc.boolean() }), { nil: undefined });
  return fc.tuple(item("m1"), item("m2"), item("m3")).map(items => items.filter(each => each !== undefined));
}

/** A template of that kind without a status. */
export function bareTemplate(key: string): KubeObject {
  const [group = "", kind = ""] = key.split("/");
  return {
    apiVersion: group === "" ? "v1" : `${group}/${group === "autoscaling" ? "v2" : "v1"}`,
    kind,
    metadata: { name: "t", generation: 3, creationTimestamp: "2025-01-01T00:00:00Z" },
    spec: kind === "Service" ? { type: "LoadBalancer" } : kind === "Pod" ? { restartPolicy: "Never" } : {},
  };
}
