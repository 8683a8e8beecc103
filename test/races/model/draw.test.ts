// Is a seed a story, the same one each time, and are the stories worth telling?
import { describe, expect, it } from "vitest";
import type { Command } from "./commands.js";
import { batchOf, BATCH_SIZE } from "./draw.js";

const batches = Array.from({ length: 25 }, (_, seed) => batchOf(seed));
const apps = batches.flatMap(batch => batch.apps);
const commands = apps.flatMap(app => app.steps.flatMap(step => step.commands));

describe("batchOf", () => {
  it("draws the same batch for the same seed, and another one for another", () => {
    expect(batchOf(7)).toEqual(batchOf(7));
    expect(batchOf(7)).not.toEqual(batchOf(8));
  });

  it("draws a whole batch", () => {
    expect(apps).toHaveLength(25 * BATCH_SIZE);
  });

  it("never puts a ClusterRole under a policy of a namespace", () => {
    const wrong = apps.filter(app => app.kind === "ClusterRole" && app.policyKind === "PropagationPolicy");

    expect(wrong).toEqual([]);
  });

  it("draws every command within 500 stories", () => {
    const drawn = new Set(commands.map(command => command.do));
    const all: Record<Command["do"], true> = {
      preserve: true,
      annotate: true,
      edit: true,
      replace: true,
      strip: true,
      "delete-template": true,
      "new-template": true,
      "delete-policy": true,
      "new-policy": true,
      leave: true,
      return: true,
      deselect: true,
      reselect: true,
      "delete-binding": true,
      "delete-work": true,
      "wrong-owner": true,
      "delete-namespace": true,
      rule: true,
      "delete-rule": true,
    };

    expect(Object.keys(all).filter(name => !drawn.has(name as Command["do"]))).toEqual([]);
  });

  it("deletes most templates, and many of them a moment after a word about that", () => {
    const deleting = apps.filter(app => app.steps.some(step => step.commands.some(c => c.do === "delete-template")));
    const racing = deleting.filter(app =>
      app.steps.some(
        (step, n) =>
          step.afterMs <= 40 &&
          step.commands.some(c => c.do === "delete-template") &&
          [...(app.steps[n - 1]?.commands ?? []), ...step.commands].some(c =>
            ["preserve", "annotate", "rule"].includes(c.do),
          ),
      ),
    );

    expect(deleting.length).toBeGreaterThan(apps.length / 2);
    expect(racing.length).toBeGreaterThan(apps.length / 8);
  });

  it("takes a member out of some batches, and never while the host is away", () => {
    const leaving = batches.filter(batch => batch.departures.length > 0);

    expect(leaving.length).toBeGreaterThan(4);
    expect(leaving.filter(batch => batch.faults.some(({ fault }) => fault.includes("host")))).toEqual([]);
  });

  it("takes both members out of some batches, and a member whose credentials have gone", () => {
    const many = Array.from({ length: 100 }, (_, seed) => batchOf(seed).departures);

    expect(many.filter(({ length }) => length === 2).length).toBeGreaterThan(1);
    expect(many.filter(all => all.some(({ withSecret }) => withSecret)).length).toBeGreaterThan(1);
    expect(many.filter(([one, other]) => one && one.member === other?.member)).toEqual([]);
  });

  it("breaks something in most batches", () => {
    expect(batches.filter(batch => batch.faults.length > 0).length).toBeGreaterThan(batches.length / 2);
  });
});
