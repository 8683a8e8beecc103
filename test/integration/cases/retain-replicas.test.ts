// Does a labelled template leave replicas to the member, while all else stays in step? (an autoscaler in the member)
import { expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { applied, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { present } from "../support/case-world.js";
import { onto, override, policy, rule, web, WEB } from "../support/case-objects.js";

const RETAIN = { "resourcetemplate.karmada.io/retain-replicas": "true" };
const replicasOf = (object: KubeObject) => (object["spec"] as { replicas?: number }).replicas;
const pp = (namespace: string) =>
  policy(namespace, "web", { resourceSelectors: [WEB], placement: onto("member1", "member2") });
const withImage = (template: KubeObject, image: string): KubeObject =>
  JSON.parse(JSON.stringify(template).replace("registry.example/web:1.0", image)) as KubeObject;

async function scaled(namespace: string, replicas: number): Promise<void> {
  const said = await kubectl("member1", ["scale", "deployment", "web", "-n", namespace, `--replicas=${replicas}`]);
  expect(said).toMatchObject({ code: 0 });
}

it.each`
  given                              | labels       | overrides
  ${"on the template"}               | ${RETAIN}    | ${[]}
  ${"by an override of one cluster"} | ${undefined} | ${[{ labelsOverrider: [{ operator: "add", value: RETAIN }] }]}
`("keeps what the member scaled to through an image change, with the label $given", async ({ labels, overrides }) => {
  const ns = await freshNamespace();
  const template = web(ns, { labels: labels as Record<string, string> | undefined });
  for (const one of overrides as object[]) {
    await applied("host", override(ns, "retain", rule(WEB, { clusterNames: ["member1"] }, one)));
  }
  await applied("host", pp(ns), template);
  await present("member1", template);
  await scaled(ns, 6);
  await applied("host", withImage(template, "registry.example/web:2.0"));

  const there = await present("member1", template, o => JSON.stringify(o["spec"]).includes("web:2.0"));
  expect(replicasOf(there)).toBe(6);
  expect(replicasOf(await present("host", template))).toBe(2);
  expect(replicasOf(await present("member2", template))).toBe(2);
});

it("never resets replicas to 1 when the label comes to a template that is there already", async () => {
  const ns = await freshNamespace();
  await applied("host", pp(ns), web(ns, { replicas: 4 }));
  await present("member1", web(ns), o => replicasOf(o) === 4);
  await applied("host", web(ns, { replicas: 4, labels: RETAIN }));

  const there = await present(
    "member1",
    web(ns),
    o => o.metadata.labels?.["resourcetemplate.karmada.io/retain-replicas"] === "true",
  );
  expect(replicasOf(there)).toBe(4);
  await scaled(ns, 7);
  await applied("host", web(ns, { replicas: 5, labels: { ...RETAIN, more: "x" } }));
  expect(replicasOf(await present("member1", web(ns), o => o.metadata.labels?.["more"] === "x"))).toBe(7);
});

it("puts replicas back where the label is not, and takes them over again when it goes", async () => {
  const ns = await freshNamespace();
  await applied("host", pp(ns), web(ns, { labels: RETAIN }));
  await present("member1", web(ns));
  await scaled(ns, 6);
  await applied("host", web(ns));
  await present("member1", web(ns), o => replicasOf(o) === 2);
  await scaled(ns, 6);
  await present("member1", web(ns), o => replicasOf(o) === 2);
});
