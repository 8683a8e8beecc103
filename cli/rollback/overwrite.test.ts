// Does undoing what others have changed touch these places and no other?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { applyJsonPatch } from "../../lib/domain/json-patch.js";
import { byPeople, overwritePatch } from "./overwrite.js";

const metadata = { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7" };
const object = (spec: unknown, annotations?: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { ...metadata, ...(annotations && { annotations }) },
  spec,
});
const containers = (...items: readonly object[]) => ({ template: { spec: { containers: items } } });
const APP = '/spec/template/spec/containers/{"name":"app"}';

describe("overwritePatch", () => {
  it.each`
    what                             | live                                                                    | before                                                                  | pointers
    ${"gives a value back"}          | ${{ replicas: 5 }}                                                      | ${{ replicas: 2 }}                                                      | ${["/spec/replicas"]}
    ${"takes away what came"}        | ${{ replicas: 2, paused: true }}                                        | ${{ replicas: 2 }}                                                      | ${["/spec/paused"]}
    ${"brings back what went"}       | ${{ replicas: 2 }}                                                      | ${{ replicas: 2, paused: true }}                                        | ${["/spec/paused"]}
    ${"brings back with its parent"} | ${{ replicas: 2 }}                                                      | ${{ replicas: 2, a: { b: { c: 1 } } }}                                  | ${["/spec/a/b/c"]}
    ${"finds an item by its key"}    | ${containers({ name: "new", image: "x" }, { name: "app", image: "2" })} | ${containers({ name: "new", image: "x" }, { name: "app", image: "1" })} | ${[`${APP}/image`]}
    ${"takes an item away"}          | ${containers({ name: "app", image: "2" }, { name: "b", image: "x" })}   | ${containers({ name: "b", image: "x" })}                                | ${[APP]}
    ${"brings an item back"}         | ${containers({ name: "b", image: "x" })}                                | ${containers({ name: "b", image: "x" }, { name: "app", image: "2" })}   | ${[APP]}
    ${"takes two items away"}        | ${{ args: ["a", "b", "c"] }}                                            | ${{ args: ["b"] }}                                                      | ${['/spec/args/"a"', '/spec/args/"c"']}
  `("$what", ({ live, before, pointers }: { live: unknown; before: unknown; pointers: string[] }) => {
    const [now, then] = [object(live), object(before)];
    const patch = overwritePatch(now, then, pointers) ?? [];

    expect(applyJsonPatch(now, patch)).toEqual(then);
    expect(patch.slice(0, 2).map(({ op }) => op)).toEqual(["test", "test"]);
  });

  it("says nothing where nothing differs", () => {
    expect(overwritePatch(object({ replicas: 2 }), object({ replicas: 2 }), ["/spec/replicas"])).toBeUndefined();
  });

  it("refuses an object that was not read from a server", () => {
    const loose = { ...object({ replicas: 5 }), metadata: { name: "web" } };
    expect(() => overwritePatch(loose, object({ replicas: 2 }), ["/spec/replicas"])).toThrow(
      "read it from the cluster",
    );
  });
});

describe("byPeople", () => {
  const entry = (manager: string, fieldsV1: Readonly<Record<string, unknown>>, subresource?: string) => ({
    manager,
    operation: "Update",
    fieldsV1,
    ...(subresource && { subresource }),
  });
  const live: KubeObject = {
    ...object({ replicas: 5, paused: true }),
    metadata: {
      ...metadata,
      managedFields: [
        entry("kube-controller-manager", { "f:spec": { "f:replicas": {} } }, "scale"),
        entry("kubectl-edit", {
          "f:spec": {
            "f:paused": {},
            "f:template": { "f:spec": { "f:containers": { 'k:{"name":"app"}': { "f:image": {} } } } },
          },
        }),
      ],
    },
  };

  it.each`
    pointer                                                       | why                            | kept
    ${"/spec/paused"}                                             | ${"a person wrote it"}         | ${true}
    ${`${APP}/image`}                                             | ${"a person wrote in an item"} | ${true}
    ${"/spec/replicas"}                                           | ${"an autoscaler wrote it"}    | ${false}
    ${"/metadata/annotations/deployment.kubernetes.io~1revision"} | ${"it is a counter"}           | ${false}
    ${"/spec/gone"}                                               | ${"somebody took it away"}     | ${true}
  `("of $pointer says $kept, since $why", ({ pointer, kept }: { pointer: string; kept: boolean }) => {
    expect(byPeople(live, [pointer])).toEqual(kept ? [pointer] : []);
  });
});
