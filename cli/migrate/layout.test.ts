// Has every object a file of its own, with a name that every system takes?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf, policyPath } from "./layout.js";

const object = (apiVersion: string, kind: string, name: string, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});

describe("pathOf", () => {
  it.each`
    given                         | object                                                          | path
    ${"a workload"}               | ${object("apps/v1", "Deployment", "web", "shop")}               | ${"shop/deployment-web.yaml"}
    ${"a kind of somebody's own"} | ${object("cert.example/v1", "Certificate", "web", "shop")}      | ${"shop/certificate.cert.example-web.yaml"}
    ${"a Namespace"}              | ${object("v1", "Namespace", "shop")}                            | ${"namespaces/namespace-shop.yaml"}
    ${"what has no namespace"}    | ${object("rbac.authorization.k8s.io/v1", "ClusterRole", "a:b")} | ${"_cluster/clusterrole-a%3Ab.yaml"}
  `("puts $given at $path", ({ object: given, path }: { object: Parameters<typeof pathOf>[0]; path: string }) => {
    expect(pathOf(given)).toBe(path);
  });

  it("gives two names two files that are not too long", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", ".", ":", "-"), minLength: 1, maxLength: 253 });
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [one, two] = [a, b].map(text => pathOf(object("v1", "ConfigMap", text, "shop")));
        expect(one === two).toBe(a === b);
        expect(one?.length).toBeLessThan(255);
      }),
    );
  });
});

describe("policyPath", () => {
  it("counts from the second on", () => {
    expect([policyPath("shop", 0), policyPath("shop", 1), policyPath(undefined, 0)]).toEqual([
      "shop/policy.yaml",
      "shop/policy-2.yaml",
      "_cluster/policy.yaml",
    ]);
  });
});
