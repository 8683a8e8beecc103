// Is a template kept from starting on an ordinary host, and do members get what its authors wrote?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { HELD_KINDS, NO_VOLUME, NOBODY } from "./held-kinds.js";
import { hold, isHeld, overwritten, released, takenInVain, withoutAlarms, withoutHold } from "./hold.js";
import { HELD_MARK, TEMPLATES_LABEL } from "./marks.js";
import { ownedManifest } from "./owned-fields.js";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const API: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  CronJob: "batch/v1",
  Job: "batch/v1",
  Pod: "v1",
  Service: "v1",
  PersistentVolumeClaim: "v1",
};

function object(kind: string, spec: object, metadata: object = {}): KubeObject {
  return { apiVersion: API[kind] ?? "v1", kind, metadata: { namespace: "shop", name: "web", ...metadata }, spec };
}

const specOf = (of: KubeObject): unknown => of["spec"];
const memoryOf = (of: KubeObject): unknown => {
  const text = of.metadata.annotations?.[HELD_MARK];
  return text === undefined ? undefined : JSON.parse(text);
};
const gates = (...names: string[]) => names.map(name => ({ name }));

/** With a record that gives all of `spec` to one manager, as API servers write it after a webhook. */
function byAuthors(of: KubeObject): KubeObject {
  const fields = Object.keys(specOf(of) as object).map(name => [`f:${name}`, {}]);
  const entry = { manager: "kubectl", operation: "Update" as const, apiVersion: of.apiVersion };
  const managedFields = [{ ...entry, fieldsV1: { "f:spec": Object.fromEntries(fields) as object } }];
  return { ...of, metadata: { ...of.metadata, managedFields } } as KubeObject;
}

describe("hold", () => {
  it.each`
    kind                       | given                              | spec                                                      | held                                                     | memory
    ${"Deployment"}            | ${"as it is usually written"}      | ${{ replicas: 2 }}                                        | ${{ replicas: 2, paused: true }}                         | ${{ paused: null }}
    ${"Deployment"}            | ${"that its authors pause"}        | ${{ paused: true }}                                       | ${{ paused: true }}                                      | ${undefined}
    ${"Deployment"}            | ${"that its authors do not pause"} | ${{ paused: false }}                                      | ${{ paused: false }}                                     | ${undefined}
    ${"CronJob"}               | ${"as it is usually written"}      | ${{ schedule: "* * * * *" }}                              | ${{ schedule: "* * * * *", startingDeadlineSeconds: 0 }} | ${{ startingDeadlineSeconds: null }}
    ${"CronJob"}               | ${"with a deadline"}               | ${{ startingDeadlineSeconds: 60 }}                        | ${{ startingDeadlineSeconds: 60 }}                       | ${undefined}
    ${"Job"}                   | ${"as it is usually written"}      | ${{ parallelism: 1 }}                                     | ${{ parallelism: 1, managedBy: NOBODY }}                 | ${{ managedBy: null }}
    ${"Job"}                   | ${"of another manager"}            | ${{ managedBy: "kueue.x-k8s.io/multikueue" }}             | ${{ managedBy: "kueue.x-k8s.io/multikueue" }}            | ${undefined}
    ${"Pod"}                   | ${"as it is usually written"}      | ${{ containers: [] }}                                     | ${{ containers: [], schedulingGates: gates(NOBODY) }}    | ${{ schedulingGates: null }}
    ${"Pod"}                   | ${"with a gate"}                   | ${{ schedulingGates: gates("a") }}                        | ${{ schedulingGates: gates("a", NOBODY) }}               | ${{ schedulingGates: gates("a") }}
    ${"Pod"}                   | ${"with a node"}                   | ${{ nodeName: "n1" }}                                     | ${{ schedulingGates: gates(NOBODY) }}                    | ${{ schedulingGates: null, nodeName: "n1" }}
    ${"Service"}               | ${"inside a cluster"}              | ${{ type: "ClusterIP" }}                                  | ${{ type: "ClusterIP" }}                                 | ${undefined}
    ${"Service"}               | ${"with a load balancer"}          | ${{ type: "LoadBalancer" }}                               | ${{ type: "LoadBalancer", loadBalancerClass: NOBODY }}   | ${{ loadBalancerClass: null }}
    ${"Service"}               | ${"with a class"}                  | ${{ type: "LoadBalancer", loadBalancerClass: "x.io/in" }} | ${{ type: "LoadBalancer", loadBalancerClass: NOBODY }}   | ${{ loadBalancerClass: "x.io/in" }}
    ${"PersistentVolumeClaim"} | ${"as it is usually written"}      | ${{ accessModes: [] }}                                    | ${{ accessModes: [], volumeName: NO_VOLUME }}            | ${{ volumeName: null }}
    ${"PersistentVolumeClaim"} | ${"of a certain volume"}           | ${{ volumeName: "pv-1" }}                                 | ${{ volumeName: NO_VOLUME }}                             | ${{ volumeName: "pv-1" }}
  `("holds a $kind $given, and gives members what was written", ({ kind, spec, held, memory }) => {
    const written = object(kind as string, spec as object);
    const stored = hold(written, undefined);
    expect(specOf(stored)).toEqual(held);
    expect(memoryOf(stored)).toEqual(memory);
    expect(stored.metadata.labels).toEqual({ [HELD_MARK]: "true" });
    expect(specOf(withoutHold(stored, stored))).toEqual(spec);
    expect(specOf(ownedManifest(byAuthors(stored)))).toEqual(spec);
    expect(released(stored)).toEqual({ ...written, metadata: { ...written.metadata } });
  });

  it.each(
    HELD_KINDS.filter(({ fields }) => fields.length === 0).map(({ group, version, kind }) => [kind, group, version]),
  )("only labels a %s: the admission policy is its whole hold", (kind, group, version) => {
    const apiVersion = group ? `${group}/${version}` : `${version}`;
    const stored = hold({ apiVersion, kind: `${kind}`, metadata: { name: "web" }, spec: { replicas: 1 } }, undefined);
    expect(specOf(stored)).toEqual({ replicas: 1 });
    expect(stored.metadata).toEqual({ name: "web", labels: { [HELD_MARK]: "true" } });
  });

  it("leaves any other kind alone", () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cfg" }, data: {} };
    expect(hold(map, undefined)).toBe(map);
  });

  describe("on an update", () => {
    const held = hold(object("Deployment", { replicas: 1 }), undefined);
    const withSpec = (of: KubeObject, spec: object): KubeObject => ({
      ...of,
      spec: { ...(specOf(of) as object), ...spec },
    });

    it("keeps what the annotation remembers, whatever became of the annotation", () => {
      const stripped = { ...held, metadata: { ...held.metadata, annotations: {} } };
      expect(memoryOf(hold(stripped, held))).toEqual({ paused: null });
      expect(memoryOf(hold(withSpec(held, { replicas: 3 }), held))).toEqual({ paused: null });
    });

    it("holds again what somebody resumes", () => {
      expect(specOf(hold(withSpec(held, { paused: undefined }), held))).toEqual({ replicas: 1, paused: true });
    });

    it("yields to authors who say it themselves, from then on", () => {
      expect(specOf(hold(withSpec(held, { paused: false }), held))).toEqual({ replicas: 1, paused: false });
      const applied = (spec: object, metadata: object = {}) => ({ [LAST_APPLIED]: JSON.stringify({ spec, metadata }) });
      const said = {
        ...held,
        metadata: { ...held.metadata, annotations: { ...held.metadata.annotations, ...applied({ paused: true }) } },
      };
      expect(memoryOf(hold(said, held))).toBeUndefined();
      expect(specOf(ownedManifest(hold(said, held)))).toEqual({ replicas: 1, paused: true });
    });

    it("takes the hold of a copied object for the hold, not for its authors' word", () => {
      const copied = JSON.stringify({
        metadata: { annotations: { [HELD_MARK]: '{"paused":null}' } },
        spec: { paused: true },
      });
      const again = {
        ...held,
        metadata: { ...held.metadata, annotations: { ...held.metadata.annotations, [LAST_APPLIED]: copied } },
      };
      expect(memoryOf(hold(again, undefined))).toEqual({ paused: null });
    });

    it.each`
      given                                           | fields                                                                                             | memory
      ${"says so itself"}                             | ${{ "f:spec": { "f:paused": {} } }}                                                                | ${undefined}
      ${"says nothing of it"}                         | ${{ "f:spec": { "f:replicas": {} } }}                                                              | ${{ paused: null }}
      ${"was given all of a former manager's fields"} | ${{ "f:spec": { "f:paused": {} }, "f:metadata": { "f:annotations": { [`f:${HELD_MARK}`]: {} } } }} | ${{ paused: null }}
    `("reads the record of a server-side apply that $given", ({ fields, memory }) => {
      const managedFields = [
        { manager: "argocd", operation: "Apply", apiVersion: "apps/v1", fieldsV1: fields as object },
      ];
      const applied = { ...held, metadata: { ...held.metadata, managedFields } } as KubeObject;
      expect(memoryOf(hold(applied, held))).toEqual(memory);
    });

    it("puts back what cannot be set anew, and touches nothing that runs already", () => {
      const claim = hold(object("PersistentVolumeClaim", {}), undefined);
      expect(specOf(hold(object("PersistentVolumeClaim", {}), claim))).toEqual({ volumeName: NO_VOLUME });
      const bound = object("PersistentVolumeClaim", { volumeName: "pvc-1" });
      expect(hold(bound, bound)).toBe(bound);
      const balancer = object("Service", { type: "LoadBalancer" });
      expect(hold(balancer, balancer)).toBe(balancer);
      const running = object("Pod", { nodeName: "n1" });
      expect(hold(running, running)).toBe(running);
    });

    it("lets authors take a gate of theirs off a held Pod", () => {
      const pod = hold(object("Pod", { schedulingGates: gates("a") }), undefined);
      const freed = hold(withSpec(pod, { schedulingGates: gates(NOBODY) }), pod);
      expect(specOf(freed)).toEqual({ schedulingGates: gates(NOBODY) });
      expect(specOf(withoutHold(freed, freed))).toEqual({});
    });

    it("holds a Service that becomes a load balancer, and lets it go when it is none any more", () => {
      const inside = hold(object("Service", { type: "ClusterIP" }), undefined);
      const outside = hold(withSpec(inside, { type: "LoadBalancer" }), inside);
      expect(specOf(outside)).toEqual({ type: "LoadBalancer", loadBalancerClass: NOBODY });
      const back = hold(withSpec(outside, { type: "ClusterIP" }), outside);
      expect(specOf(back)).toEqual({ type: "ClusterIP" });
      expect(memoryOf(back)).toBeUndefined();
    });
  });

  it("changes nothing the second time, and an annotation that is no JSON does no harm", () => {
    const spec = fc.record(
      {
        paused: fc.boolean(),
        startingDeadlineSeconds: fc.nat(3),
        managedBy: fc.constantFrom(NOBODY, "x.io/y"),
        replicas: fc.nat(2),
      },
      { requiredKeys: [] },
    );
    const mark = fc.option(fc.constantFrom("", "{", "[]", "null", '{"paused":null}', '{"startingDeadlineSeconds":5}'), {
      nil: undefined,
    });
    fc.assert(
      fc.property(fc.constantFrom("Deployment", "CronJob", "Job"), spec, mark, (kind, written, annotation) => {
        const annotations = annotation === undefined ? {} : { annotations: { [HELD_MARK]: annotation } };
        const once = hold(object(kind, written, annotations), undefined);
        expect(hold(once, once)).toEqual(once);
        expect(hold(once, undefined)).toEqual(once);
        expect(specOf(withoutHold(once, withoutHold(once, once)))).toEqual(specOf(withoutHold(once, once)));
      }),
    );
  });
});

describe("overwritten", () => {
  it("names what the authors had chosen", () => {
    expect(overwritten(hold(object("Service", { type: "LoadBalancer", loadBalancerClass: "x" }), undefined))).toEqual([
      "loadBalancerClass",
    ]);
    expect(overwritten(hold(object("Service", { type: "LoadBalancer" }), undefined))).toEqual([]);
  });
});

describe("takenInVain", () => {
  const change = (of: KubeObject, spec: object, metadata: object = {}): KubeObject => ({
    ...{ ...of, metadata: { ...of.metadata, ...metadata } },
    spec: { ...(specOf(of) as object), ...spec },
  });
  const bare = { labels: {}, annotations: {} };
  const deployment = hold(object("Deployment", { replicas: 1 }), undefined);
  const paused = hold(object("Deployment", { paused: true }), undefined);
  const cronJob = hold(object("CronJob", {}), undefined);
  const job = hold(object("Job", { suspend: true }), undefined);
  const pod = hold(object("Pod", { schedulingGates: gates("a") }), undefined);
  const balancer = hold(object("Service", { type: "LoadBalancer" }), undefined);
  const claim = hold(object("PersistentVolumeClaim", {}), undefined);
  const set = hold(object("StatefulSet", {}), undefined);
  const gone = undefined;

  it.each`
    given                                                        | old           | now                                                                 | path
    ${"a Deployment that is resumed"}                            | ${deployment} | ${change(deployment, { paused: gone })}                             | ${"spec.paused"}
    ${"a CronJob whose deadline is taken away"}                  | ${cronJob}    | ${change(cronJob, { startingDeadlineSeconds: gone })}               | ${"spec.startingDeadlineSeconds"}
    ${"a CronJob that gets a deadline of its own"}               | ${cronJob}    | ${change(cronJob, { startingDeadlineSeconds: 60 })}                 | ${gone}
    ${"a Job without its manager"}                               | ${job}        | ${change(job, { managedBy: gone })}                                 | ${"spec.managedBy"}
    ${"a Job that goes on: members get that"}                    | ${job}        | ${change(job, { suspend: false })}                                  | ${gone}
    ${"a Pod without any gate"}                                  | ${pod}        | ${change(pod, { schedulingGates: gone })}                           | ${"spec.schedulingGates"}
    ${"a Pod without the hold's gate"}                           | ${pod}        | ${change(pod, { schedulingGates: gates("a") })}                     | ${"spec.schedulingGates"}
    ${"a Pod without a gate of its authors'"}                    | ${pod}        | ${change(pod, { schedulingGates: gates(NOBODY) })}                  | ${gone}
    ${"a load balancer without its class"}                       | ${balancer}   | ${change(balancer, { loadBalancerClass: gone })}                    | ${"spec.loadBalancerClass"}
    ${"a load balancer of another class, which is told already"} | ${balancer}   | ${change(balancer, { loadBalancerClass: "x" })}                     | ${gone}
    ${"a load balancer that is none any more"}                   | ${balancer}   | ${change(balancer, { type: "ClusterIP", loadBalancerClass: gone })} | ${gone}
    ${"a claim without its volume"}                              | ${claim}      | ${change(claim, { volumeName: gone })}                              | ${"spec.volumeName"}
    ${"an object without the label"}                             | ${deployment} | ${change(deployment, {}, { labels: {} })}                           | ${`metadata.labels[${HELD_MARK}]`}
    ${"a field and the label, in one sentence"}                  | ${deployment} | ${change(deployment, { paused: gone }, { labels: {} })}             | ${"spec.paused"}
    ${"a change of something else"}                              | ${deployment} | ${change(deployment, { replicas: 3 })}                              | ${gone}
    ${"a manifest that never named the field, put in its place"} | ${deployment} | ${change(deployment, { paused: gone }, bare)}                       | ${gone}
    ${"the same of a kind that is held by no field"}             | ${set}        | ${change(set, {}, bare)}                                            | ${gone}
    ${"authors who no longer pause"}                             | ${paused}     | ${change(paused, { paused: gone })}                                 | ${gone}
    ${"a new object"}                                            | ${gone}       | ${object("Deployment", {})}                                         | ${gone}
  `("of $given: $path", ({ old, now, path }) => {
    expect(takenInVain(now as KubeObject, old as KubeObject)).toBe(path);
  });
});

describe("withoutAlarms", () => {
  it("says nothing of a held CronJob's Jobs, which are not here, and everything else", () => {
    const status = { active: [{ name: "nightly-1" }], lastScheduleTime: "t" };
    const cronJob = object("CronJob", {});
    expect(withoutAlarms(hold(cronJob, undefined), status)).toEqual({ lastScheduleTime: "t" });
    expect(withoutAlarms(cronJob, status)).toBe(status);
    expect(withoutAlarms(hold(object("Deployment", {}), undefined), { active: 1 })).toEqual({ active: 1 });
  });
});

describe("isHeld", () => {
  const namespace = (labels: object) =>
    ({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels } }) as KubeObject;
  const held = hold(object("Deployment", {}), undefined);
  it.each([
    ["a held object in a namespace of templates", held, namespace({ [TEMPLATES_LABEL]: "true" }), true],
    ["a held object in a namespace that is none any more", held, namespace({}), false],
    ["an object that came before the hold", object("Deployment", {}), namespace({ [TEMPLATES_LABEL]: "true" }), false],
    ["an object of an unknown namespace", held, undefined, false],
    [
      "a kind that is not held, whatever its label says",
      { ...object("Ingress", {}), metadata: held.metadata },
      namespace({ [TEMPLATES_LABEL]: "true" }),
      false,
    ],
  ])("%s: %#", (_, of, where, expected) => {
    expect(isHeld(of, where)).toBe(expected);
  });
});
