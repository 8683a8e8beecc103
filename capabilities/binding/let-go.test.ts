// Does a Work go with the word that was decided, whoever else wrote to it meanwhile?
import { beforeEach, describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { cascadeFields } from "../../lib/domain/work-word.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { DecisionMaker } from "./decisions.js";
import { letGo, type LetGo } from "./let-go.js";
import { isOrdered, type Decision } from "./plan.js";

const template: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", uid: "u1", deletionTimestamp: "2026-01-01T00:00:00Z" },
};

function workSaying(cascade: "orphan" | "background", resourceVersion: string): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: "cfg", namespace: "karmada-es-m1", uid: "w1", resourceVersion },
    spec: { workload: { manifests: [template] }, ...cascadeFields(cascade) },
  };
}

/** A host with one Work, that takes writes as an API server does. */
class OneWork {
  deleted: Work | undefined;

  constructor(public stored: Work) {}

  readonly replace = async (work: Work): Promise<Work> => {
    this.#demand(work.metadata.resourceVersion);
    const resourceVersion = String(Number(this.stored.metadata.resourceVersion) + 1);
    this.stored = { ...work, metadata: { ...work.metadata, resourceVersion } };
    return this.stored;
  };

  readonly client = { find: async (): Promise<Work> => this.stored };

  readonly delete = async (_work: Work, { resourceVersion }: { resourceVersion?: string } = {}): Promise<boolean> => {
    this.#demand(resourceVersion);
    this.deleted = this.stored;
    return true;
  };

  #demand(resourceVersion: string | undefined): void {
    if (resourceVersion === undefined || resourceVersion === this.stored.metadata.resourceVersion) return;
    throw new KubeError(409, "Conflict", "the object has been modified");
  }
}

function farewellOn(works: OneWork, decision: Decision): LetGo {
  const quiet = (): void => undefined;
  const host = { works, decided: new Set(["u1"]), templates: { of: () => undefined } };
  const deps = { host, log: { info: quiet }, events: { normal: quiet } } as unknown as Dependencies;
  return letGo(deps, { leaving: async () => () => decision } as unknown as DecisionMaker);
}

describe("a template that leaves, with its copy to be kept", () => {
  const keep: Decision = { order: "keep", source: "the policy" };
  const seen = { template, witnessed: true };
  let works: OneWork;

  beforeEach(() => {
    works = new OneWork(workSaying("orphan", "7"));
  });

  it("deletes a Work that says so already without another write", async () => {
    const work = works.stored;
    await farewellOn(works, keep).template(template, undefined, [work], seen);
    expect(works.deleted).toBe(work);
  });

  it("orders one that says otherwise, and deletes it as ordered", async () => {
    works = new OneWork(workSaying("background", "7"));
    await farewellOn(works, keep).template(template, undefined, [works.stored], seen);
    expect(works.deleted && isOrdered(works.deleted)).toBe(true);
    expect(works.deleted?.spec.preserveResourcesOnDeletion).toBe(true);
  });

  it("does not delete one that says otherwise by now, and is tried again with what it says", async () => {
    const known = works.stored;
    works.stored = workSaying("background", "8");
    await expect(farewellOn(works, keep).template(template, undefined, [known], seen)).rejects.toThrow("modified");
    expect(works.deleted).toBeUndefined();
    await farewellOn(works, keep).template(template, undefined, [works.stored], seen);
    expect(works.deleted?.spec.preserveResourcesOnDeletion).toBe(true);
  });

  it("deletes one that only a report has moved, without deciding again", async () => {
    const known = works.stored;
    works.stored = { ...workSaying("orphan", "8"), status: { conditions: [] } };
    await farewellOn(works, keep).template(template, undefined, [known], seen);
    expect(works.deleted?.metadata.resourceVersion).toBe("8");
  });
});
