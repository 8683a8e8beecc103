// Is everything found that the host has about some templates, also where a part of it is gone already?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { RB_ID_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { bindingName, executionNamespace, workName, workPermanentId } from "../../lib/domain/names.js";
import type { KubeClient, RequestOptions } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { configMap } from "../view/samples.js";
import { readStandings } from "./standing.js";

const resource = { ...CONFIG_MAPS, verbs: [], subresources: [] };
const nameOf = (name: string) => ({ resource, namespace: "shop", name });
const named = (name: string, kind = "ConfigMap") => ({ group: "", kind, namespace: "shop", name });

/** The binding of a ConfigMap, or of another kind that has taken its name. */
function binding(name: string, { kind = "ConfigMap", suffix = false } = {}): KubeObject {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: {
      name: bindingName(named(name), { suffix }),
      namespace: "shop",
      uid: `b-${name}-${kind}`,
      labels: { [RB_ID_LABEL]: `id-${name}-${kind}` },
    },
    spec: { resource: { apiVersion: "v1", kind, namespace: "shop", name } },
  };
}

function work(name: string, cluster: string, of?: KubeObject): KubeObject {
  const namespace = executionNamespace(cluster);
  const own = workName(named(name));
  const id = of?.metadata.labels?.[RB_ID_LABEL];
  const labels = { [WORK_ID_LABEL]: workPermanentId(namespace, own), ...(id !== undefined && { [RB_ID_LABEL]: id }) };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: own, namespace, uid: `w-${name}-${cluster}`, labels },
    spec: { workload: { manifests: [configMap(name)] } },
  };
}

const plural = ({ kind }: KubeObject): string => `${kind.toLowerCase()}s`;

/** A host that has these objects, and counts what it is asked. */
function hostWith(...objects: readonly KubeObject[]) {
  const asked: string[] = [];
  const request = (_method: string, path: string, { query = {} }: RequestOptions = {}): Promise<unknown> => {
    asked.push(path);
    const [last = "", before = ""] = path.split("/").reverse();
    const one = objects.find(object => plural(object) === before && object.metadata.name === last);
    if (one) return Promise.resolve(one);
    const all = objects.filter(
      object => plural(object) === last && isMeant(object, String(query["labelSelector"] ?? "")),
    );
    const isList = objects.some(object => plural(object) === last) || last === "works";
    return isList
      ? Promise.resolve({ metadata: { resourceVersion: "1" }, items: all })
      : Promise.reject(new KubeError(404, "NotFound", path));
  };
  return { host: { request } as unknown as KubeClient, asked };
}

/** `label in (a,b)`, or nothing. */
function isMeant({ metadata: { labels = {} } }: KubeObject, selector: string): boolean {
  const [, label, values] = /^(.*) in \((.*)\)$/.exec(selector) ?? [];
  return label === undefined || (values ?? "").split(",").includes(labels[label] ?? "");
}

const CLUSTERS = ["m1", "m2"];

describe("readStandings", () => {
  it("finds a template, its binding, and its Works by cluster", async () => {
    const own = binding("web");
    const { host } = hostWith(configMap("web", "t1"), own, work("web", "m2", own), work("web", "m1", own));
    const [standing] = await readStandings(host, [nameOf("web")], CLUSTERS);
    expect(standing?.template?.metadata.uid).toBe("t1");
    expect(standing?.binding?.metadata.uid).toBe("b-web-ConfigMap");
    expect(standing?.works.map(({ cluster }) => cluster)).toEqual(["m1", "m2"]);
  });

  it("finds a binding under its second name, and takes none that is about another kind", async () => {
    const theirs = binding("web", { kind: "Configmap" });
    const own = binding("web", { suffix: true });
    const { host } = hostWith(configMap("web"), theirs, own, work("web", "m1", own));
    const [standing] = await readStandings(host, [nameOf("web")], CLUSTERS);
    expect(standing?.binding?.metadata.name).toBe(own.metadata.name);
    const [alone] = await readStandings(hostWith(configMap("web"), theirs).host, [nameOf("web")], CLUSTERS);
    expect(alone?.binding).toBeUndefined();
  });

  it("finds Works that have outlived template and binding, and none of another object", async () => {
    const { host } = hostWith(work("web", "m1"), work("api", "m1"));
    const [standing] = await readStandings(host, [nameOf("web")], CLUSTERS);
    expect(standing).toMatchObject({ template: undefined, binding: undefined });
    expect(standing?.works.map(({ work: { metadata } }) => metadata.uid)).toEqual(["w-web-m1"]);
  });

  it("answers in the order of the names, also for what is nowhere", async () => {
    const { host } = hostWith(configMap("b", "tb"));
    const standings = await readStandings(host, ["a", "b"].map(nameOf), CLUSTERS);
    expect(standings.map(({ name, template }) => [name.name, template?.metadata.uid])).toEqual([
      ["a", undefined],
      ["b", "tb"],
    ]);
  });

  it("reads many with a few lists", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `settings-${i}`);
    const bindings = names.map(name => binding(name));
    const works = bindings.map((own, i) => work(names[i] ?? "", "m1", own));
    const { host, asked } = hostWith(...names.map(name => configMap(name)), ...bindings, ...works);
    const standings = await readStandings(host, names.map(nameOf), CLUSTERS);
    expect(standings.every(one => one.template && one.binding && one.works.length === 1)).toBe(true);
    expect(asked.length).toBeLessThan(10);
  });
});
