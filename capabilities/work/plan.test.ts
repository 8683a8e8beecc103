// Is a member object ours, in step, adoptable, and without what an older member does not know?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION, MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { idOf, inStep, isOurs, planAdoption, recordOf, unknownFields, withMarks, withoutField } from "./plan.js";

const work = (metadata: object = {}, spec: object = {}): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "web", namespace: "karmada-es-m1", ...metadata },
  spec,
});

const deployment = (spec: object = { replicas: 2 }, metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", ...metadata },
  spec,
});

describe("withMarks and isOurs", () => {
  const labelled = deployment({}, { labels: { app: "web" }, annotations: { note: "x" } });

  it("adds two labels and no annotation, and knows its own again", () => {
    const marked = withMarks(labelled, work());
    expect(marked.metadata).toEqual({
      ...labelled.metadata,
      labels: { app: "web", [MANAGED_LABEL]: "true", [WORK_ID_LABEL]: idOf(work()) },
    });
    expect(isOurs(marked, work())).toBe(true);
  });

  it.each`
    given                           | object                                                     | other
    ${"an object without labels"}   | ${deployment()}                                            | ${work()}
    ${"the managed label alone"}    | ${deployment({}, { labels: { [MANAGED_LABEL]: "true" } })} | ${work()}
    ${"the Work of another member"} | ${withMarks(labelled, work())}                             | ${work({ namespace: "karmada-es-m2" })}
    ${"a Work of another name"}     | ${withMarks(labelled, work())}                             | ${work({ name: "web-2" })}
  `("is not fooled by $given", ({ object, other }) => {
    expect(isOurs(object as KubeObject, other as Work)).toBe(false);
  });

  it("knows the objects of a Work that was made again under its name", () => {
    expect(isOurs(withMarks(labelled, work({ uid: "old" })), work({ uid: "new" }))).toBe(true);
  });
});

describe("inStep", () => {
  const manifest = deployment({ replicas: 2, cpu: "1000m" });
  const live = deployment({ replicas: 2, cpu: "1", paused: false }, { uid: "u1" });
  const record = recordOf(manifest, live);

  it.each`
    given                                           | now                                                                 | known        | before   | answer
    ${"nothing changed, though values differ"}      | ${live}                                                             | ${record}    | ${false} | ${true}
    ${"a field that the manifest does not mention"} | ${{ ...live, spec: { ...(live["spec"] as object), paused: true } }} | ${record}    | ${false} | ${true}
    ${"a field of ours that drifted"}               | ${{ ...live, spec: { replicas: 3, cpu: "1" } }}                     | ${record}    | ${true}  | ${false}
    ${"another object under the name"}              | ${{ ...live, metadata: { ...live.metadata, uid: "u2" } }}           | ${record}    | ${true}  | ${false}
    ${"no record, applied before, all the same"}    | ${{ ...live, spec: { replicas: 2, cpu: "1000m" } }}                 | ${undefined} | ${true}  | ${true}
    ${"no record, applied before, other notation"}  | ${live}                                                             | ${undefined} | ${true}  | ${false}
    ${"no record, never applied"}                   | ${{ ...live, spec: { replicas: 2, cpu: "1000m" } }}                 | ${undefined} | ${false} | ${false}
  `("is $answer for $given", ({ now, known, before, answer }) => {
    expect(inStep(manifest, now as KubeObject, known as typeof record | undefined, before as boolean)).toBe(answer);
  });

  it("is false for a manifest that was not applied yet", () => {
    expect(inStep(deployment({ replicas: 5 }), live, record, true)).toBe(false);
  });
});

describe("planAdoption", () => {
  const overwrite = work({ annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: "overwrite" } });
  const abort = work({ annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: "abort" } });
  const managedFields = [{ manager: "helm" }, { manager: "kubectl" }, { manager: "helm" }, {}];

  it.each`
    given                               | on           | heldBy                   | action
    ${"overwrite"}                      | ${overwrite} | ${undefined}             | ${"adopt"}
    ${"overwrite of what a Work holds"} | ${overwrite} | ${"karmada-es-m1/other"} | ${"refuse"}
    ${"abort"}                          | ${abort}     | ${undefined}             | ${"refuse"}
    ${"no word"}                        | ${work()}    | ${undefined}             | ${"refuse"}
  `("says $action under $given", ({ on, heldBy, action }) => {
    expect(planAdoption(on as Work, deployment(), deployment(), heldBy as string | undefined).action).toBe(action);
  });

  it("refuses under abort even where every value agrees, and says how to go on", () => {
    const plan = planAdoption(abort, deployment(), deployment({ replicas: 2 }, { managedFields }), undefined);
    expect(plan).toEqual({
      action: "refuse",
      why: "it already exists (managed by helm, kubectl) and conflictResolution is Abort. Set conflictResolution: Overwrite in the policy to take it over, or remove it there",
    });
  });

  it("names what would change, two levels deep and five at most", () => {
    const manifest = { ...deployment({ replicas: 2, a: 1, b: 2, c: 3, d: 4, e: 5 }), data: "x" };
    const plan = planAdoption(abort, manifest, deployment({ replicas: 2, a: 0 }), undefined);
    expect(plan).toMatchObject({ action: "refuse" });
    expect("why" in plan && plan.why).toContain(
      "taking it over would change spec.a, spec.b, spec.c, spec.d, spec.e. Set",
    );
  });

  it("names the holder", () => {
    const plan = planAdoption(overwrite, deployment(), deployment(), "karmada-es-m1/other");
    expect("why" in plan && plan.why).toBe("it belongs to Work karmada-es-m1/other");
  });
});

describe("unknownFields", () => {
  it.each`
    given                  | message                                                                                                                  | fields
    ${"one field"}         | ${"failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.color: field not declared in schema"} | ${[".spec.color"]}
    ${"a field in a list"} | ${'errors:\n  .spec.template.spec.containers[name="c"].restartPolicy: field not declared in schema'}                     | ${['.spec.template.spec.containers[name="c"].restartPolicy']}
    ${"several"}           | ${"errors:\n  .spec.a: field not declared in schema\n  .spec.b.c: field not declared in schema"}                         | ${[".spec.a", ".spec.b.c"]}
    ${"keys of two words"} | ${'.spec.ports[port=80,protocol="TCP"].appProtocol: field not declared in schema'}                                       | ${['.spec.ports[port=80,protocol="TCP"].appProtocol']}
    ${"a key with spaces"} | ${'.spec.items[name="a b"].x: field not declared in schema'}                                                             | ${['.spec.items[name="a b"].x']}
    ${"something else"}    | ${"Internal error occurred: etcdserver: request timed out"}                                                              | ${[]}
  `("reads $given", ({ message, fields }) => {
    expect(unknownFields(message as string)).toEqual(fields);
  });
});

const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/);

describe("withoutField", () => {
  const ports = [
    { port: 80, protocol: "TCP", extra: 1 },
    { port: 80, protocol: "UDP", extra: 2 },
  ];
  it.each`
    path                                           | spec                              | left
    ${".spec.color"}                               | ${{ color: "x", size: 1 }}        | ${{ size: 1 }}
    ${".spec.a.b"}                                 | ${{ a: { b: 1, c: 2 } }}          | ${{ a: { c: 2 } }}
    ${'.spec.ports[port=80,protocol="UDP"].extra'} | ${{ ports }}                      | ${{ ports: [ports[0], { port: 80, protocol: "UDP" }] }}
    ${".spec.args[1].x"}                           | ${{ args: [{ x: 1 }, { x: 1 }] }} | ${{ args: [{ x: 1 }, {}] }}
    ${".spec.none.b"}                              | ${{ a: 1 }}                       | ${{ a: 1 }}
    ${".spec.a.b"}                                 | ${{ a: [1] }}                     | ${{ a: [1] }}
  `("takes $path out of $spec", ({ path, spec, left }) => {
    expect(withoutField(deployment(spec as object), path as string)["spec"]).toEqual(left);
  });

  it("takes exactly the named field away, at any depth", () => {
    const nest = ([first = "", ...rest]: readonly string[], leaf: object, other: unknown): object =>
      rest.length > 0 ? { [first]: nest(rest, leaf, other), "~": other } : { ...leaf, "~": other };
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (names, other) => {
        const spec = nest(names, { [names.at(-1) ?? ""]: "gone" }, other);
        const left = withoutField(deployment(spec), `.spec.${names.join(".")}`)["spec"];
        expect(left).toEqual(nest(names, {}, other));
      }),
    );
  });

  it("does nothing for a field that is not there, and nothing more the second time", () => {
    fc.assert(
      fc.property(fc.dictionary(word, fc.jsonValue()), word, (spec, name) => {
        fc.pre(!(name in {}));
        const once = withoutField(deployment(spec), `.spec.${name}`);
        expect(withoutField(once, `.spec.${name}`)).toEqual(once);
        if (!Object.hasOwn(spec, name)) expect(once).toEqual(deployment(spec));
      }),
    );
  });

  it("takes out what unknownFields reads, so that trying again makes headway", () => {
    fc.assert(
      fc.property(fc.string(), word, (name, field) => {
        fc.pre(!/[\]\n\r]/.test(name));
        const container = { name, [field]: { deep: true } };
        fc.pre(field !== "name");
        const manifest = deployment({ containers: [container, { name: `${name}-2`, [field]: 1 }] });
        const message = `.spec.containers[name=${JSON.stringify(name)}].${field}: field not declared in schema`;
        const [path = ""] = unknownFields(message);
        const spec = withoutField(manifest, path)["spec"];
        expect(spec).toEqual({ containers: [{ name }, { name: `${name}-2`, [field]: 1 }] });
      }),
    );
  });
});
