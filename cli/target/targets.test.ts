// Are the arguments of a command read as kubectl reads them?
import { describe, expect, it } from "vitest";
import { placeOf, resolveObject, resolveTargets } from "./targets.js";
import { SERVED } from "./samples.js";

describe("resolveTargets", () => {
  it.each`
    words                                 | targets
    ${["deployment"]}                     | ${"Deployment:"}
    ${["deployment", "web", "api"]}       | ${"Deployment:web,api"}
    ${["deployment/web"]}                 | ${"Deployment:web"}
    ${["deployment/web", "svc/web"]}      | ${"Deployment:web Service:web"}
    ${["svc/b", "deployment/a", "svc/a"]} | ${"Service:b,a Deployment:a"}
    ${["deployment,svc", "web"]}          | ${"Deployment:web Service:web"}
    ${["svc,services", "web", "web"]}     | ${"Service:web"}
    ${["all"]}                            | ${"Service: Deployment:"}
  `("takes $words for $targets", ({ words, targets }: { words: string[]; targets: string }) => {
    const found = resolveTargets(SERVED, words).map(({ resource, names }) => `${resource.kind}:${names.join(",")}`);
    expect(found.join(" ")).toBe(targets);
  });

  it.each`
    words                        | message
    ${[]}                        | ${"no kind is named"}
    ${["deployment/web", "api"]} | ${'"api" is not KIND/NAME'}
    ${["deployment/"]}           | ${'"deployment/" is not KIND/NAME'}
    ${["/web"]}                  | ${'"/web" is not KIND/NAME'}
    ${["a/b/c"]}                 | ${'"a/b/c" is not KIND/NAME'}
    ${["unicorn", "web"]}        | ${'the host serves no kind "unicorn"'}
  `("refuses $words: $message", ({ words, message }: { words: string[]; message: string }) => {
    expect(() => resolveTargets(SERVED, words)).toThrow(message);
  });
});

describe("resolveObject", () => {
  it.each([["deployment/web"], ["deployment", "web"]])("takes %s %s for one object", (...words) => {
    expect(resolveObject(SERVED, words)).toMatchObject({ resource: { kind: "Deployment" }, name: "web" });
  });

  it.each([["deployment"], ["deployment", "a", "b"], ["deployment/a", "svc/a"]])("refuses %s %s", (...words) => {
    expect(() => resolveObject(SERVED, words)).toThrow("does not name one object");
  });
});

describe("placeOf", () => {
  it("gives a namespace only to kinds that have one", () => {
    expect(placeOf(resolveObject(SERVED, ["deployment/web"]), "shop")).toEqual({ namespace: "shop", name: "web" });
    expect(placeOf(resolveObject(SERVED, ["ns/shop"]), "shop")).toEqual({ name: "shop" });
  });
});
