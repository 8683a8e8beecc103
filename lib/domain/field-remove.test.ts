// Does an object lose exactly what nobody owns any more?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutFields } from "./field-remove.js";
import { NO_FIELDS, parseFields } from "./field-tree.js";

const leaf = {};
const pod = {
  containers: [
    { name: "c", image: "a:1", env: [{ name: "A", value: "1" }] },
    { name: "side", image: "b:1" },
  ],
  labels: { app: "web", tier: "front" },
};
const item = (name: string): string => `k:{"name":"${name}"}`;
const side = { "f:containers": { [item("side")]: { ".": leaf, "f:name": leaf, "f:image": leaf } } };

describe("withoutFields", () => {
  it.each`
    given                            | fields                                               | others                                                         | left
    ${"a container of ours"}         | ${side}                                              | ${leaf}                                                        | ${{ ...pod, containers: pod.containers.slice(0, 1) }}
    ${"one that another has set"}    | ${side}                                              | ${{ "f:containers": { [item("side")]: { "f:image": leaf } } }} | ${pod}
    ${"a label"}                     | ${{ "f:labels": { "f:tier": leaf } }}                | ${leaf}                                                        | ${{ ...pod, labels: { app: "web" } }}
    ${"a label that another owns"}   | ${{ "f:labels": { "f:tier": leaf } }}                | ${{ "f:labels": { "f:tier": leaf } }}                          | ${pod}
    ${"every label"}                 | ${{ "f:labels": { "f:tier": leaf, "f:app": leaf } }} | ${leaf}                                                        | ${{ containers: pod.containers }}
    ${"a map with what nobody owns"} | ${{ "f:labels": { ".": leaf, "f:tier": leaf } }}     | ${leaf}                                                        | ${{ containers: pod.containers }}
    ${"a field that is not there"}   | ${{ "f:volumes": { ".": leaf } }}                    | ${leaf}                                                        | ${pod}
    ${"nothing"}                     | ${leaf}                                              | ${leaf}                                                        | ${pod}
  `("gives up $given", ({ fields, others, left }: { fields: object; others: object; left: unknown }) => {
    expect(withoutFields(pod, { given: parseFields(fields), kept: parseFields(others) })).toEqual(left);
  });

  it("keeps an item of which another owns a part, without what was only ours", () => {
    const others = parseFields({ "f:containers": { [item("side")]: { "f:name": leaf } } });
    expect(
      withoutFields({ containers: [{ name: "side", image: "b:1" }] }, { given: parseFields(side), kept: others }),
    ).toEqual({ containers: [{ name: "side" }] });
  });

  it("changes nothing when nothing is given up, or all of it is kept", () => {
    const value = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,3}$/),
      fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom("x", "y"), fc.integer())),
    );
    fc.assert(
      fc.property(value, object => {
        const all = parseFields(
          Object.fromEntries(
            Object.entries(object).map(([key, child]) => [
              `f:${key}`,
              typeof child === "number"
                ? {}
                : { ".": {}, ...Object.fromEntries(Object.keys(child).map(k => [`f:${k}`, {}])) },
            ]),
          ),
        );
        expect(withoutFields(object, { given: NO_FIELDS, kept: NO_FIELDS })).toBe(object);
        expect(withoutFields(object, { given: all, kept: all })).toEqual(object);
      }),
    );
  });
});
