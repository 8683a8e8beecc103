// Can a policy that names an API which does not exist be made, deleted, and come to work later?
import { describe, expect, it, onTestFinished } from "vitest";
import { applied, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { absent, condition, present } from "../support/case-world.js";
import { freshKind, installWidgets, widget } from "../support/case-widgets.js";
import { onto, policy } from "../support/case-objects.js";

const placement = onto("member1");

describe("a policy for a kind that is not served", () => {
  it.each`
    given                     | selectors
    ${"a wrong group"}        | ${[{ apiVersion: "v1", kind: "Ingress", name: "front" }]}
    ${"a kind in lower case"} | ${[{ apiVersion: "apps/v1", kind: "deployment", name: "front" }]}
    ${"200 unknown kinds"}    | ${Array.from({ length: 200 }, (_, i) => ({ apiVersion: "none.example/v1", kind: `Kind${i}` }))}
  `(
    "is taken with a warning, says so, and is gone in seconds: $given",
    async ({ selectors }: { selectors: object[] }) => {
      const ns = await freshNamespace();
      const typo = policy(ns, "typo", { resourceSelectors: selectors, placement });
      const said = await applied("host", typo);
      expect(said.text).toContain("Warning: spec.resourceSelectors[0]: this cluster serves no");
      const ready = await condition(typo, "Ready", c => c.status === "False");
      expect(ready.message).toContain((selectors[0] as { kind: string }).kind);

      const began = Date.now();
      const deleted = await kubectl("host", ["delete", "pp", "typo", "-n", ns, "--timeout=25s"]);
      expect(deleted.code).toBe(0);
      expect(Date.now() - began).toBeLessThan(10_000);
    },
  );

  it("starts to work without an edit when its kind comes, and can be deleted when it is gone again", async () => {
    const ns = await freshNamespace();
    const names = freshKind();
    const { group, kind } = names;
    const later = policy(ns, "later", { resourceSelectors: [{ apiVersion: `${group}/v1`, kind }], placement });
    await applied("host", later);
    await condition(later, "Ready", c => c.status === "False" && c.message.includes(group));

    const crd = installWidgets(names);
    await crd.into("member1");
    await crd.into("host");
    const template = widget({ group, kind, namespace: ns });
    await applied("host", template);
    await present("member1", template, undefined, 30_000);
    await condition(later, "Ready", c => c.status === "True");

    onTestFinished(async () => void (await kubectl("host", ["delete", "pp", "later", "-n", ns, "--ignore-not-found"])));
    await crd.outOf("host");
    const began = Date.now();
    const deleted = await kubectl("host", ["delete", "pp", "later", "-n", ns, "--timeout=25s"]);
    expect(deleted).toMatchObject({ code: 0 });
    expect(Date.now() - began).toBeLessThan(10_000);
    await absent("host", later);
  });
});
