// Does suspension hold changes back, in all clusters or in some, and say so?
import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshNamespace, remove } from "../support/case-kubectl.js";
import { absent, find, present, work } from "../support/case-world.js";
import { configMap, onto, policy } from "../support/case-objects.js";

const selector = { apiVersion: "v1", kind: "ConfigMap", name: "cfg" };
const cfg = (namespace: string, a = "1") => configMap({ name: "cfg", namespace }, { a });
const pp = (namespace: string, suspension?: object) =>
  policy(namespace, "cfg", {
    resourceSelectors: [selector],
    placement: onto("member1", "member2"),
    ...(suspension ? { suspension } : {}),
  });
const valueOf = (object: object) => (object as { data: { a: string } }).data.a;
const isSuspended = (w: Parameters<typeof conditionOf>[0]) => conditionOf(w, "Dispatching")?.status === "False";

describe("a suspended policy", () => {
  it("sends nothing anywhere, says so on each Work, and sends when it is lifted", async () => {
    const ns = await freshNamespace();
    await applied("host", pp(ns, { dispatching: true }), cfg(ns));
    for (const member of ["member1", "member2"]) {
      const told = await work(cfg(ns), member, isSuspended);
      expect(conditionOf(told, "Dispatching")).toMatchObject({ reason: "SuspendDispatching" });
    }
    expect(await find("member1", cfg(ns))).toBeUndefined();

    await applied("host", pp(ns));
    await present("member1", cfg(ns));
    await present("member2", cfg(ns));
    await work(cfg(ns), "member1", w => conditionOf(w, "Dispatching")?.status === "True");
  });

  it("holds changes back in the named cluster only", async () => {
    const ns = await freshNamespace();
    await applied("host", pp(ns), cfg(ns));
    await present("member2", cfg(ns));
    await applied("host", pp(ns, { dispatchingOnClusters: { clusterNames: ["member2"] } }));
    await work(cfg(ns), "member2", isSuspended);
    await applied("host", cfg(ns, "2"));

    await present("member1", cfg(ns), o => valueOf(o) === "2");
    // The Work has the new value; the member has not.
    await work(cfg(ns), "member2", w => JSON.stringify(w.spec).includes('"a":"2"'));
    expect(valueOf(await present("member2", cfg(ns)))).toBe("1");

    await applied("host", pp(ns));
    await present("member2", cfg(ns), o => valueOf(o) === "2");
  });

  it("does not hold back a deletion", async () => {
    const ns = await freshNamespace();
    await applied("host", pp(ns), cfg(ns));
    await present("member1", cfg(ns));
    await present("member2", cfg(ns));
    await applied("host", pp(ns, { dispatching: true }));
    await work(cfg(ns), "member1", isSuspended);

    await remove("host", "configmap", "cfg", ns);
    await absent("member1", cfg(ns));
    await absent("member2", cfg(ns));
    await absent("host", cfg(ns));
  });
});
