// Is a manifest exactly what people and tools wrote, by the record that the API server keeps?
import { describe, expect, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { ownedManifest, trimManagedFields } from "./owned-fields.js";

function entry(fieldsV1: Record<string, unknown>, more: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  return { manager: "kubectl", operation: "Apply", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

function deployment(spec: object, managedFields?: readonly ManagedFieldsEntry[], metadata: object = {}): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", ...metadata, managedFields },
    spec,
    status: { replicas: 1 },
  };
}

const spec = (fields: object) => ({ "f:spec": fields }) as Record<string, unknown>;

describe("ownedManifest", () => {
  const containers = [
    { name: "a", image: "a:1", env: [{ name: "X", value: "1" }], pull: "Always" },
    { name: "b", image: "b:1" },
  ];
  const ports = [
    { port: 80, protocol: "TCP", nodePort: 30000 },
    { port: 80, protocol: "UDP", nodePort: 30001 },
  ];

  it.each`
    what                                             | live                                                               | fields                                                                                            | owned
    ${"a scalar"}                                    | ${{ replicas: 2, paused: true }}                                   | ${{ "f:replicas": {} }}                                                                           | ${{ replicas: 2 }}
    ${"an atomic map as a whole"}                    | ${{ selector: { matchLabels: { a: "b" } } }}                       | ${{ "f:selector": {} }}                                                                           | ${{ selector: { matchLabels: { a: "b" } } }}
    ${"an atomic list as a whole"}                   | ${{ args: ["a", "b"] }}                                            | ${{ "f:args": {} }}                                                                               | ${{ args: ["a", "b"] }}
    ${"an empty map that is owned"}                  | ${{ podSelector: {} }}                                             | ${{ "f:podSelector": {} }}                                                                        | ${{ podSelector: {} }}
    ${"a map that is owned, without its content"}    | ${{ limits: { cpu: "1" } }}                                        | ${{ "f:limits": { ".": {} } }}                                                                    | ${{ limits: {} }}
    ${"some keys of a map"}                          | ${{ nodes: { a: "1", b: "2" } }}                                   | ${{ "f:nodes": { "f:b": {} } }}                                                                   | ${{ nodes: { b: "2" } }}
    ${"items by key, with the key, in live's order"} | ${{ containers }}                                                  | ${{ "f:containers": { 'k:{"name":"b"}': { "f:image": {} }, 'k:{"name":"a"}': { ".": {} } } }}     | ${{ containers: [{ name: "a" }, { name: "b", image: "b:1" }] }}
    ${"items in items"}                              | ${{ containers }}                                                  | ${{ "f:containers": { 'k:{"name":"a"}': { "f:env": { 'k:{"name":"X"}': { "f:value": {} } } } } }} | ${{ containers: [{ name: "a", env: [{ name: "X", value: "1" }] }] }}
    ${"items by two keys"}                           | ${{ ports }}                                                       | ${{ "f:ports": { 'k:{"port":80,"protocol":"UDP"}': { "f:port": {} } } }}                          | ${{ ports: [{ port: 80, protocol: "UDP" }] }}
    ${"an item whose key has its default"}           | ${{ ports: [{ port: 80, x: 1 }] }}                                 | ${{ "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { "f:x": {} } } }}                             | ${{ ports: [{ port: 80, x: 1 }] }}
    ${"doubles of one key, all of them"}             | ${{ env: [{ name: "X", value: "1" }, { name: "X", value: "2" }] }} | ${{ "f:env": { 'k:{"name":"X"}': { "f:value": {} } } }}                                           | ${{ env: [{ name: "X", value: "1" }, { name: "X", value: "2" }] }}
    ${"members of a set"}                            | ${{ modes: ["a", "b"] }}                                           | ${{ "f:modes": { 'v:"b"': {} } }}                                                                 | ${{ modes: ["b"] }}
    ${"an item by its place"}                        | ${{ list: ["a", "b"] }}                                            | ${{ "f:list": { "i:1": {} } }}                                                                    | ${{ list: ["b"] }}
    ${"an empty list that is owned"}                 | ${{ list: ["a"] }}                                                 | ${{ "f:list": { ".": {} } }}                                                                      | ${{ list: [] }}
    ${"nothing of what is not there any more"}       | ${{ replicas: 2 }}                                                 | ${{ "f:replicas": {}, "f:strategy": { "f:type": {} } }}                                           | ${{ replicas: 2 }}
  `("takes $what", ({ live, fields, owned }: { live: object; fields: object; owned: object }) => {
    const template = deployment(live, [entry(spec(fields))]);
    const before = structuredClone(template);

    expect(ownedManifest(template).spec).toEqual(owned);
    expect(ownedManifest(trimManagedFields(template)).spec).toEqual(owned);
    expect(template).toEqual(before);
  });

  it("never makes a map around nothing", () => {
    const template = deployment({ replicas: 2 }, [
      entry({ "f:metadata": { "f:labels": { "f:app": {} } } }),
      entry(spec({ "f:replicas": {} }), { manager: "kube-controller-manager", operation: "Update" }),
    ]);

    expect(ownedManifest(template)).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "shop" },
    });
  });

  it("names the object, whatever managedFields say, and takes only owned metadata", () => {
    const labels = { app: "web", injected: "true" };
    const template = deployment({}, [entry({ "f:metadata": { "f:labels": { ".": {}, "f:app": {} } } })], { labels });

    expect(ownedManifest(template).metadata).toEqual({ name: "web", namespace: "shop", labels: { app: "web" } });
  });

  it.each`
    who                              | more                                                                                 | counts
    ${"a tool's apply"}              | ${{ manager: "argocd-controller" }}                                                  | ${true}
    ${"an unknown manager's update"} | ${{ manager: "my-tool", operation: "Update" }}                                       | ${true}
    ${"a person's edit"}             | ${{ manager: "kubectl-edit", operation: "Update" }}                                  | ${true}
    ${"a person's scale"}            | ${{ manager: "kubectl", operation: "Update", subresource: "scale" }}                 | ${true}
    ${"an autoscaler's scale"}       | ${{ manager: "kube-controller-manager", operation: "Update", subresource: "scale" }} | ${true}
    ${"a status writer"}             | ${{ manager: "kubectl", operation: "Update", subresource: "status" }}                | ${false}
    ${"a controller of the host"}    | ${{ manager: "kube-controller-manager", operation: "Update" }}                       | ${false}
    ${"our claim"}                   | ${{ manager: "holdfast" }}                                                           | ${false}
  `("counts $who: $counts", ({ more, counts }: { more: ManagedFieldsEntry; counts: boolean }) => {
    const template = deployment({ replicas: 2, paused: true }, [
      entry(spec({ "f:paused": {} })),
      entry(spec({ "f:replicas": {} }), more),
    ]);

    expect(ownedManifest(template).spec).toEqual(counts ? { replicas: 2, paused: true } : { paused: true });
    expect(trimManagedFields(template).metadata.managedFields).toHaveLength(counts ? 2 : 1);
  });

  it("leaves what another owner put into a map that a person left empty", () => {
    const volume = { emptyDir: { sizeLimit: "1Gi" } };
    const template = deployment(volume, [
      entry(spec({ "f:emptyDir": {} })),
      entry(spec({ "f:emptyDir": { "f:sizeLimit": {} } }), { manager: "kube-controller-manager" }),
    ]);

    expect(ownedManifest(template).spec).toEqual({ emptyDir: {} });
    expect(ownedManifest(trimManagedFields(template)).spec).toEqual({ emptyDir: {} });
  });

  it.each`
    why                                               | managedFields
    ${"there is no record"}                           | ${undefined}
    ${"the record is empty"}                          | ${[]}
    ${"only controllers are in it"}                   | ${[entry(spec({ "f:replicas": {} }), { manager: "kube-controller-manager" })]}
    ${"it names fields of a version unlike this one"} | ${[entry(spec({ "f:replicas": {}, "f:rollbackTo": {} }), { apiVersion: "apps/v1beta1" })]}
  `("takes the whole object when $why", ({ managedFields }: { managedFields?: ManagedFieldsEntry[] }) => {
    const template = deployment({ replicas: 2, paused: true }, managedFields);

    expect(ownedManifest(template)).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "shop" },
      spec: { replicas: 2, paused: true },
    });
    expect(ownedManifest(trimManagedFields(template))).toEqual(ownedManifest(template));
  });

  it("trusts a record of another version whose fields are all here", () => {
    const old = entry(spec({ "f:replicas": {} }), { apiVersion: "apps/v1beta1" });

    expect(ownedManifest(deployment({ replicas: 2, paused: true }, [old])).spec).toEqual({ replicas: 2 });
  });

  it.each`
    port                                   | fields                                | ports
    ${"a node port that the server chose"} | ${{ "f:port": {} }}                   | ${[{ port: 80, protocol: "TCP" }]}
    ${"a node port that a person chose"}   | ${{ "f:port": {}, "f:nodePort": {} }} | ${[{ port: 80, protocol: "TCP", nodePort: 30000 }]}
  `("sends or leaves $port", ({ fields, ports: wanted }) => {
    const key = 'k:{"port":80,"protocol":"TCP"}';
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: "web",
        managedFields: [entry(spec({ "f:clusterIP": {}, "f:ports": { [key]: fields } }), { apiVersion: "v1" })],
      },
      spec: { clusterIP: "10.0.0.1", ports: [ports[0]], ipFamilies: ["IPv4"] },
    };

    expect(ownedManifest(service).spec).toEqual({ ports: wanted });
  });
});

describe("trimManagedFields", () => {
  it("drops times and the record when nothing of it counts", () => {
    const ours = entry(spec({}), { manager: "holdfast", time: "2026-01-01T00:00:00Z" });
    const mine = entry(spec({ "f:replicas": {} }), { time: "2026-01-01T00:00:00Z" });

    expect(trimManagedFields(deployment({}, [ours])).metadata).not.toHaveProperty("managedFields");
    expect(JSON.stringify(trimManagedFields(deployment({}, [ours, mine])))).not.toContain("2026");
  });
});
