// Has a table every row that it should have?
import { describe, expect, it } from "vitest";
import { PP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION } from "../../lib/domain/marks.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { objectKey, wantedBy } from "../view/adoption.js";
import { configMap, liveOf, workFor } from "../view/samples.js";
import { hostRows, inOrder, itemOf, memberRows, silentRows, type Row } from "./rows.js";

const resource: ServedResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
  verbs: ["get", "list"],
  subresources: [],
};
const all = { resource, names: [] };
const settings = workFor(configMap("settings"), { uid: "u1", origin: "Adopted" });
const wanted = wantedBy([settings, workFor({ ...configMap("other"), kind: "Secret" })]);

const short = ({ name, status, adoption, by }: Row): unknown[] => [name, status, adoption, by];

describe("hostRows", () => {
  it("tells templates, with their policy, from what no policy has claimed", () => {
    const labels = { [PP_ID_LABEL]: "id" };
    const annotations = { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web" };
    const { metadata, ...rest } = configMap("claimed");
    const claimed = { ...rest, apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, labels, annotations } };

    expect(hostRows(resource, [claimed, configMap("plain")]).map(short)).toEqual([
      ["claimed", undefined, "Template", "PropagationPolicy shop/web"],
      ["plain", undefined, undefined, undefined],
    ]);
  });
});

describe("memberRows", () => {
  const by = "Work karmada-es-m1/settings-work";

  it("has what is there, ours or not", () => {
    const rows = memberRows(all, "m1", [liveOf(settings, "u1"), configMap("theirs")], wanted);
    expect(rows.map(short)).toEqual([
      ["settings", undefined, "Adopted", by],
      ["theirs", undefined, "Foreign", undefined],
    ]);
  });

  it("has what should be there", () => {
    expect(memberRows(all, "m1", [], wanted).map(short)).toEqual([["settings", "Missing", "Missing", by]]);
  });

  it.each`
    given                             | asked
    ${"another name"}                 | ${{ ...all, names: ["other"] }}
    ${"another namespace"}            | ${{ ...all, namespace: "stock" }}
    ${"labels that it does not have"} | ${{ ...all, selected: new Set<string>() }}
  `("misses nothing when it is asked for $given", ({ asked }: { asked: typeof all }) => {
    expect(memberRows(asked, "m1", [], wanted)).toEqual([]);
  });

  it("misses what the labels select on the host", () => {
    const selected = new Set([objectKey(configMap("settings"))]);
    expect(memberRows({ ...all, selected }, "m1", [], wanted)).toHaveLength(1);
  });
});

describe("silentRows", () => {
  it("has what the host knows", () => {
    expect(silentRows(all, "m1", wanted).map(short)).toEqual([
      ["settings", "Unreachable", "Adopted", "Work karmada-es-m1/settings-work"],
    ]);
  });

  it.each`
    given                          | asked                                   | names
    ${"the names that were asked"} | ${{ ...all, names: ["settings", "x"] }} | ${["settings", "x"]}
    ${"at least the member"}       | ${{ ...all, namespace: "stock" }}       | ${["<unknown>"]}
  `("has $given", ({ asked, names }: { asked: typeof all; names: string[] }) => {
    expect(silentRows(asked, "m1", wanted).map(({ name }) => name)).toEqual(names);
  });
});

describe("inOrder", () => {
  it("has the host before the members, whatever they are called", () => {
    const at = (place: Row["place"], name: string): Row => ({ place, resource, namespace: "shop", name });
    const rows = [
      at({ cluster: "a" }, "x"),
      at({ cluster: "0" }, "x"),
      at({ host: true }, "x"),
      at({ cluster: "b" }, "w"),
    ];
    expect(inOrder(rows).map(({ place, name }) => `${name}${"cluster" in place ? place.cluster : ""}`)).toEqual([
      "wb",
      "x",
      "x0",
      "xa",
    ]);
  });
});

describe("itemOf", () => {
  const [row] = memberRows(all, "m1", [liveOf(settings, "u1")], wanted);

  it("says in which member it was seen, and whose it is", () => {
    expect(row && itemOf(row, false)?.metadata.annotations).toEqual({
      "resource.karmada.io/cached-from-cluster": "m1",
      "holdfast.dev/adoption": "Adopted",
    });
  });

  it("is none for what is not there", () => {
    expect(memberRows(all, "m1", [], wanted).map(missing => itemOf(missing, false))).toEqual([undefined]);
  });
});
