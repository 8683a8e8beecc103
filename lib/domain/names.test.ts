// Are the names Karmada's where Karmada has one, and always legal and distinct?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  HOLDFAST_NAMESPACE_UUID,
  bindingName,
  bindingPermanentId,
  clusterOf,
  clusterOfExecutionNamespace,
  executionNamespace,
  fnv1a32,
  isReservedNamespace,
  nameSuffix,
  safeEncode,
  uuidV5,
  workName,
  workPermanentId,
  type NamedObject,
} from "./names.js";

const DNS_NAMESPACE = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What the API server accepts for RBAC objects: any path segment. All other kinds are stricter. */
const legalObject: fc.Arbitrary<NamedObject> = fc.record({
  group: fc.constantFrom("", "apps", "rbac.authorization.k8s.io", "example.com"),
  kind: fc.constantFrom("ConfigMap", "ClusterRole", "RoleBinding", "K".padEnd(60, "x")),
  namespace: fc.constantFrom(undefined, "default", "n".repeat(63)),
  name: fc.oneof(
    fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 253 })
      .filter(name => !/[/%]/.test(name) && name !== "." && name !== ".."),
    fc.stringMatching(/^[a-z0-9]([a-z0-9.:A-Z-]{0,80}[a-z0-9])?$/),
    fc.constantFrom("a".repeat(253), "system:Team:View-A", "Ops:Read", "::", "-", "ops.read"),
  ),
});

describe("fnv1a32", () => {
  it.each`
    text        | hash
    ${""}       | ${0x811c9dc5}
    ${"a"}      | ${0xe40c292c}
    ${"foobar"} | ${0xbf9cf968}
  `("gives the published value for '$text'", ({ text, hash }: { text: string; hash: number }) => {
    expect(fnv1a32(text)).toBe(hash);
  });
});

describe("safeEncode", () => {
  it("keeps ten digits apart and spells no vowel", () => {
    const encoded = safeEncode("0123456789");
    expect(encoded).toBe("456789bcdf");
    expect(new Set(encoded).size).toBe(10);
  });
});

describe("workName", () => {
  it.each`
    object                                                         | name
    ${{ kind: "Deployment", namespace: "default", name: "nginx" }} | ${"nginx-687f7fb96f"}
    ${{ kind: "Namespace", name: "demo" }}                         | ${"demo-6654f4c4f6"}
    ${{ kind: "ClusterRole", name: "system:foo:Bar" }}             | ${"system.foo.bar-5964d7bd5d"}
    ${{ kind: "ConfigMap", namespace: "team-a", name: "app-cfg" }} | ${"app-cfg-7c755bcc4"}
  `("is Karmada's $name", ({ object, name }: { object: NamedObject; name: string }) => {
    expect(workName(object)).toBe(name);
  });
});

describe("bindingName", () => {
  it.each`
    given                    | object                                                                 | name
    ${"a plain name"}        | ${{ kind: "Deployment", namespace: "default", name: "nginx" }}         | ${"nginx-deployment"}
    ${"colons and capitals"} | ${{ kind: "RoleBinding", namespace: "a", name: "system:Team:View-A" }} | ${"system.team.view-a-rolebinding"}
  `("is Karmada's for $given", ({ object, name }: { object: NamedObject; name: string }) => {
    expect(bindingName(object)).toBe(name);
  });

  it("does not read the group, as Karmada's does not", () => {
    const object = { kind: "Ingress", namespace: "a", name: "front" };
    expect(bindingName({ ...object, group: "example.com" })).toBe(
      bindingName({ ...object, group: "networking.k8s.io" }),
    );
  });

  it("appends the suffix for the second comer, so that two groups get two names", () => {
    const object = { kind: "Ingress", namespace: "a", name: "front" };
    const [one, other] = ["example.com", "networking.k8s.io"].map(group =>
      bindingName({ ...object, group }, { suffix: true }),
    );
    expect(one).not.toBe(other);
    expect(one).toBe(`front-ingress-${nameSuffix({ ...object, group: "example.com" })}`);
  });

  it("keeps names apart that differ only at the very end of 253 characters", () => {
    const names = ["a", "b"].map(end =>
      bindingName({ kind: "ConfigMap", namespace: "a", name: "x".repeat(252) + end }),
    );
    expect(new Set(names).size).toBe(2);
    expect(names.every(name => name.length <= 253)).toBe(true);
  });

  it("adds the suffix unasked where Karmada's name would be refused", () => {
    expect(bindingName({ kind: "ClusterRole", name: "a::b_c" })).toMatch(/^a\.b-c-clusterrole-[a-z0-9]+$/);
  });
});

describe.each([
  ["bindingName", bindingName],
  ["workName", workName],
])("%s, for any legal object", (_name, nameOf) => {
  it.each([false, true])("is a legal DNS-1123 subdomain (suffix: %s)", suffix => {
    fc.assert(
      fc.property(legalObject, object => {
        const name = nameOf(object, { suffix });
        expect(name).toMatch(SUBDOMAIN);
        expect(name.length).toBeLessThanOrEqual(253);
      }),
    );
  });

  it("differs between two different objects once the second has a suffix", () => {
    fc.assert(
      fc.property(legalObject, legalObject, (one, other) => {
        const same = (["group", "kind", "namespace", "name"] as const).every(key => one[key] === other[key]);
        fc.pre(!same);
        expect(nameOf(other, { suffix: true })).not.toBe(nameOf(one));
        expect(nameOf(other, { suffix: true })).not.toBe(nameOf(one, { suffix: true }));
      }),
    );
  });
});

describe("executionNamespace", () => {
  it("is read back by clusterOfExecutionNamespace", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$/), cluster => {
        expect(clusterOfExecutionNamespace(executionNamespace(cluster))).toBe(cluster);
      }),
    );
  });

  it.each(["default", "karmada-es", "karmada-es-", "x-karmada-es-m1"])(
    "belongs to no cluster when it is %s",
    namespace => {
      expect(clusterOfExecutionNamespace(namespace)).toBeUndefined();
    },
  );
});

describe("clusterOf", () => {
  it.each`
    namespace               | cluster
    ${"karmada-es-member1"} | ${"member1"}
    ${"karmada-es-"}        | ${""}
    ${"default"}            | ${""}
    ${undefined}            | ${""}
  `("is '$cluster' for a Work in $namespace", ({ namespace, cluster }) => {
    expect(clusterOf({ metadata: { namespace: namespace as string | undefined } })).toBe(cluster);
  });
});

describe("isReservedNamespace", () => {
  it.each`
    namespace            | reserved
    ${"kube-system"}     | ${true}
    ${"kube-public"}     | ${true}
    ${"karmada-system"}  | ${true}
    ${"karmada-cluster"} | ${true}
    ${"karmada-es-m1"}   | ${true}
    ${"holdfast-system"} | ${true}
    ${"ops"}             | ${true}
    ${"default"}         | ${false}
    ${"kubernetes"}      | ${false}
    ${"karmada-samples"} | ${false}
    ${"shop"}            | ${false}
  `(
    "says $reserved for $namespace when the operator lives in ops",
    ({ namespace, reserved }: { namespace: string; reserved: boolean }) => {
      expect(isReservedNamespace(namespace, "ops")).toBe(reserved);
    },
  );
});

describe("uuidV5", () => {
  it("gives the value of RFC 9562, appendix A.4", () => {
    expect(uuidV5(DNS_NAMESPACE, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  it("derives our own namespace from holdfast.dev", () => {
    expect(uuidV5(DNS_NAMESPACE, "holdfast.dev")).toBe(HOLDFAST_NAMESPACE_UUID);
  });

  it("always says version 5, variant 10", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: "binary" }), (namespace, name) => {
        expect(uuidV5(namespace, name)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  it.each(["", "nonsense", `${DNS_NAMESPACE}0`])("refuses the namespace '%s'", namespace => {
    expect(() => uuidV5(namespace, "x")).toThrow(RangeError);
  });
});

describe("permanent ids", () => {
  it("never change for a Work, since members carry them", () => {
    expect(workPermanentId("karmada-es-m1", "nginx-687f7fb96f")).toBe("c8463f6f-7e3b-5043-ba38-ea8ddcdb2ea9");
  });

  it("differ between bindings that share a name", () => {
    const ids = [
      bindingPermanentId("ResourceBinding", "a", "x"),
      bindingPermanentId("ResourceBinding", "b", "x"),
      bindingPermanentId("ClusterResourceBinding", undefined, "x"),
    ];
    expect(new Set(ids).size).toBe(3);
  });
});
