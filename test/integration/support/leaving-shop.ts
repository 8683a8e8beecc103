// What do the tests of clusters that leave put into a member, and how do they see what became of it?
import { expect, onTestFinished, vi } from "vitest";
import { unjoin } from "../../../cli/unjoin.js";
import type { Problem } from "../../../cli/problem.js";
import type { PropagationPolicy } from "../../../crds/propagation-policy.js";
import type { KubeObject } from "../../../crds/object.js";
import type { FarewellOutcome, FarewellReport } from "../../../lib/domain/farewell-report.js";
import { nameOfEntry } from "../../../lib/domain/farewell-report.js";
import type { Dependencies } from "../../../lib/engine/dependencies.js";
import type { KubeClient } from "../../../lib/kube/client.js";
import { CONFIG_MAPS, NAMESPACES } from "../../../lib/kube/kinds.js";
import { ResourceClient } from "../../../lib/kube/resource.js";
import { problemOf } from "./both-sides.js";
import { clientFor } from "./engine.js";
import { collected, uniqueName } from "./federation.js";

/** What `unjoin -o json` prints. */
export interface Told extends Pick<FarewellReport, "kept" | "deleted" | "left" | "objects"> {
  readonly proven: boolean;
}

/** Two namespaces: one with a copy that is to stay and one that is to go, one whose only copy is to go. */
export class LeavingShop {
  readonly shop = uniqueName("shop");
  readonly bare = uniqueName("bare");

  private constructor(
    readonly cluster: string,
    readonly host: KubeClient,
    readonly member: KubeClient,
  ) {}

  /** Applies everything on the host and waits until it is in the member. */
  static async open(deps: Dependencies, cluster: string): Promise<LeavingShop> {
    const [host, member] = await Promise.all([clientFor("host"), clientFor("member1")]);
    const opened = new LeavingShop(cluster, host, member);
    for (const name of [opened.shop, opened.bare]) {
      await deps.host.namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
    const contents = [
      { namespace: opened.shop, name: "stays", preserve: true },
      { namespace: opened.shop, name: "goes", preserve: false },
      { namespace: opened.bare, name: "goes", preserve: false },
    ];
    for (const { namespace, name, preserve } of contents) {
      await deps.host.policies.create(policy({ namespace, name, cluster, preserve }));
      const configMaps = new ResourceClient(host, CONFIG_MAPS);
      await configMaps.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: { a: "1" } });
    }
    onTestFinished(() => opened.#clear());
    await opened.untilSent();
    return opened;
  }

  /** Until all three copies are there and carry our marks. */
  untilSent(): Promise<void> {
    return vi.waitFor(
      async () => {
        const copies = await this.copies();
        expect(Object.values(copies).map(isMarked)).toEqual([true, true, true]);
      },
      { timeout: 30_000, interval: 100 },
    );
  }

  /** What is in the member of it now, the namespaces too. */
  async copies() {
    const configMaps = new ResourceClient(this.member, CONFIG_MAPS);
    const [stays, goes, alone] = await Promise.all([
      configMaps.find({ namespace: this.shop, name: "stays" }),
      configMaps.find({ namespace: this.shop, name: "goes" }),
      configMaps.find({ namespace: this.bare, name: "goes" }),
    ]);
    return { stays, goes, alone };
  }

  namespaceOf(name: string): Promise<KubeObject | undefined> {
    return new ResourceClient(this.member, NAMESPACES).find({ name });
  }

  /** Unjoins as a person does, and returns what the command told and how it ended. */
  async unjoin(): Promise<{ readonly told: Told; readonly problem: Problem | undefined }> {
    const output = collected();
    const printed: string[] = [];
    const data = { ...output, print: (line: string) => void printed.push(line) };
    const request = { cluster: this.cluster, namespace: "karmada-cluster", waitMs: 40_000, format: "json" as const };
    const error: unknown = await unjoin(request, { host: this.host, output: data }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const problem = error === undefined ? undefined : await problemOf(Promise.reject(error as Error));
    return { told: JSON.parse(printed.join("\n")) as Told, problem };
  }

  /** The names in a report with one outcome. */
  static named({ objects }: Told, outcome: FarewellOutcome): string[] {
    return objects
      .filter(entry => entry.outcome === outcome)
      .map(nameOfEntry)
      .sort();
  }

  async #clear(): Promise<void> {
    const [host, member] = await Promise.all([clientFor("host"), clientFor("member1")]);
    for (const name of [this.shop, this.bare]) {
      await Promise.all([host, member].map(client => new ResourceClient(client, NAMESPACES).delete({ name })));
    }
  }
}

/** True while an object carries our label. */
export function isMarked(object: KubeObject | undefined): boolean {
  return /karmada\.io|holdfast\.dev/.test(JSON.stringify(object?.metadata.labels ?? {}));
}

function policy(of: { namespace: string; name: string; cluster: string; preserve: boolean }): PropagationPolicy {
  const { namespace, name, cluster, preserve } = of;
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { namespace, name },
    spec: {
      resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name }],
      placement: { clusterAffinity: { clusterNames: [cluster] } },
      preserveResourcesOnDeletion: preserve,
    },
  } as PropagationPolicy;
}
