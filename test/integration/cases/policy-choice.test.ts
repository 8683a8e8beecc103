// Does the right policy hold a template, and does no other one move it between clusters?
import { describe, expect, it, onTestFinished } from "vitest";
import { MANAGED_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, freshNamespace, remove } from "../support/case-kubectl.js";
import { absent, present } from "../support/case-world.js";
import { clusterPolicy, onto, policy, web, WEB } from "../support/case-objects.js";

const BY_KIND = { apiVersion: "apps/v1", kind: "Deployment" };
const BY_LABEL = { ...BY_KIND, labelSelector: { matchLabels: { app: "web" } } };

interface Words {
  readonly priority?: number;
  readonly preemption?: "Always";
  readonly preserveResourcesOnDeletion?: boolean;
}
type Made = (namespace: string) => object;

/** The first policy of every run sends to member1, every other one to member2. */
const first =
  (words: Words = {}, selector: object = WEB): Made =>
  ns =>
    policy(ns, "web-pp", { resourceSelectors: [selector], placement: onto("member1"), ...words });
const second =
  (words: Words = {}, selector: object = WEB): Made =>
  ns =>
    policy(ns, "aaa", { resourceSelectors: [selector], placement: onto("member2"), ...words });
const wide =
  (words: Words = {}): Made =>
  ns =>
    clusterPolicy(`wide-${ns}`, {
      resourceSelectors: [{ ...WEB, namespace: ns }],
      placement: onto("member2"),
      ...words,
    });
const always = { priority: 5, preemption: "Always" } as const;

interface Run {
  readonly before: readonly Made[];
  readonly after?: readonly Made[];
  readonly deleted?: string;
  readonly goes: "member1" | "member2";
}

describe("which policy wins", () => {
  it.each`
    run   | given                                                     | before                                        | after                                 | deleted      | goes
    ${1}  | ${"a later policy of the same priority"}                  | ${[first()]}                                  | ${[second()]}                         | ${undefined} | ${"member1"}
    ${2}  | ${"a later policy of higher priority"}                    | ${[first()]}                                  | ${[second({ priority: 5 })]}          | ${undefined} | ${"member1"}
    ${3}  | ${"a later policy of higher priority that preempts"}      | ${[first()]}                                  | ${[second(always)]}                   | ${undefined} | ${"member2"}
    ${4}  | ${"a later policy that preempts without higher priority"} | ${[first()]}                                  | ${[second({ preemption: "Always" })]} | ${undefined} | ${"member1"}
    ${5}  | ${"two equal ones before the template"}                   | ${[first(), second()]}                        | ${[]}                                 | ${undefined} | ${"member2"}
    ${6}  | ${"two equal ones before the template, the other way"}    | ${[second(), first()]}                        | ${[]}                                 | ${undefined} | ${"member2"}
    ${7}  | ${"priority against the smaller name"}                    | ${[second(), first({ priority: 5 })]}         | ${[]}                                 | ${undefined} | ${"member1"}
    ${8}  | ${"a cluster policy of priority 9"}                       | ${[wide({ priority: 9 }), first()]}           | ${[]}                                 | ${undefined} | ${"member1"}
    ${9}  | ${"a later cluster policy of priority 9 that preempts"}   | ${[first()]}                                  | ${[wide({ ...always, priority: 9 })]} | ${undefined} | ${"member1"}
    ${10} | ${"a name against a label"}                               | ${[second({}, BY_LABEL), first()]}            | ${[]}                                 | ${undefined} | ${"member1"}
    ${11} | ${"a label against a kind"}                               | ${[second({}, BY_KIND), first({}, BY_LABEL)]} | ${[]}                                 | ${undefined} | ${"member1"}
    ${12} | ${"the winner deleted"}                                   | ${[first()]}                                  | ${[second()]}                         | ${"web-pp"}  | ${"member2"}
  `("run $run: $given → $goes", async ({ before, after, deleted, goes }: Run) => {
    const ns = await freshNamespace();
    onTestFinished(async () => void (await remove("host", "clusterpropagationpolicy", `wide-${ns}`)));
    const template = web(ns);
    const other = goes === "member1" ? "member2" : "member1";
    for (const made of before) await applied("host", made(ns));
    await applied("host", template);
    if (after?.length) await present("member1", template);
    for (const made of after ?? []) await applied("host", made(ns));
    if (deleted) await remove("host", "propagationpolicy", deleted, ns);

    await present(goes, template);
    await absent(other, template);
    await applied("host", web(ns, { replicas: 3 }));
    await present(goes, template, o => (o["spec"] as { replicas: number }).replicas === 3);
    await absent(other, template);
  });
});

describe("a template that moves", () => {
  it("keeps its old copy, free of marks, where its policy preserves", async () => {
    const ns = await freshNamespace();
    const template = web(ns);
    await applied("host", first()(ns), template);
    const { uid } = (await present("member1", template)).metadata;

    await applied("host", second({ ...always, preserveResourcesOnDeletion: true })(ns));
    await present("member2", template);
    const left = await present("member1", template, o => !o.metadata.labels?.[MANAGED_LABEL]);
    expect(left.metadata.uid).toBe(uid);
    expect(JSON.stringify(left.metadata)).not.toMatch(/karmada|holdfast/);
  });

  it("comes under a cluster policy once the last policy of its namespace is gone", async () => {
    const ns = await freshNamespace();
    const name = freshName("wide");
    onTestFinished(async () => void (await remove("host", "clusterpropagationpolicy", name)));
    const template = web(ns);
    await applied("host", first()(ns), template);
    await present("member1", template);
    await applied(
      "host",
      clusterPolicy(name, { resourceSelectors: [{ ...WEB, namespace: ns }], placement: onto("member2") }),
    );
    await remove("host", "propagationpolicy", "web-pp", ns);

    await present("member2", template);
    await absent("member1", template);
  });
});
