// Does a person see each Event once, with a count, whatever happened to the one before?
import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { FakeClock } from "../../lib/engine/clock.js";
import { eventRecorder } from "../../lib/engine/events.js";
import { silentLog } from "../../lib/engine/log.js";
import { ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import { clientFor, configMap, namespaceIn } from "./support/engine.js";

const EVENTS: ApiResource = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
};
const SIX_MINUTES = 360_000;

async function setUp(name = "subject") {
  const { name: namespace, configMaps } = await namespaceIn("host");
  const client = await clientFor("host");
  const about = await configMaps.create(configMap(namespace, name));
  const clock = new FakeClock();
  const log = { ...silentLog, debug: vi.fn() };
  const events = new ResourceClient(client, EVENTS);
  const restart = () => eventRecorder(client, log, "instance-1", clock);
  const seen = async (): Promise<KubeObject[]> => (await events.list({}, namespace)).items;
  return { about, clock, log, events, restart, recorder: restart(), seen };
}

const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 5_000, interval: 50 });

describe("an Event", () => {
  it("says what happened to which object", async () => {
    const { about, recorder, seen } = await setUp();

    recorder.warning(about, "SyncFailed", "member1: spec.replicas: must be positive");

    await eventually(async () => expect(await seen()).toHaveLength(1));
    expect(await seen()).toMatchObject([
      {
        type: "Warning",
        reason: "SyncFailed",
        note: "member1: spec.replicas: must be positive",
        regarding: { kind: "ConfigMap", name: "subject", uid: about.metadata.uid },
        reportingController: "holdfast.dev/holdfast",
      },
    ]);
  });

  it("is not sent again within five minutes, and counted after them", async () => {
    const { about, clock, recorder, seen } = await setUp();
    for (let i = 0; i < 50; i++) recorder.warning(about, "SyncFailed", "no");
    await eventually(async () => expect(await seen()).toHaveLength(1));
    expect((await seen())[0]?.["series"]).toBeUndefined();

    for (const count of [2, 3]) {
      clock.advance(SIX_MINUTES);
      recorder.warning(about, "SyncFailed", "no");
      await eventually(async () => expect(await seen()).toMatchObject([{ series: { count } }]));
    }
  });

  it("is written anew when the one before has expired", async () => {
    const { about, clock, events, recorder, seen } = await setUp();
    recorder.warning(about, "SyncFailed", "no");
    await eventually(async () => expect(await seen()).toHaveLength(1));
    const [first] = await seen();
    if (first) await events.delete(first.metadata);

    clock.advance(SIX_MINUTES);
    recorder.warning(about, "SyncFailed", "no");

    await eventually(async () => expect(await seen()).toHaveLength(1));
    clock.advance(SIX_MINUTES);
    recorder.warning(about, "SyncFailed", "no");
    await eventually(async () => expect(await seen()).toMatchObject([{ series: { count: 2 } }]));
  });

  it("goes on counting after a restart", async () => {
    const { about, recorder, restart, seen } = await setUp();
    recorder.normal(about, "ResourcesPreserved", "kept in member1");
    await eventually(async () => expect(await seen()).toHaveLength(1));

    restart().normal(about, "ResourcesPreserved", "kept in member1");

    await eventually(async () => expect(await seen()).toMatchObject([{ series: { count: 2 } }]));
  });

  it("may be long, in any script, about an object with any name", async () => {
    const { about, recorder, seen } = await setUp(`${"long.".repeat(45)}name`);
    const role = { name: `system:Engine:${randomUUID()}`, uid: randomUUID() };
    const { namespace } = about.metadata;

    recorder.warning(about, "SyncFailed", "→€😀".repeat(500));
    recorder.warning({ ...about, metadata: { ...role, namespace } }, "SyncFailed", "no");

    await eventually(async () => expect(await seen()).toHaveLength(2));
    expect((await seen()).some(e => /^→€😀/.test(String(e["note"])))).toBe(true);
  });

  it("about a cluster-scoped object stands in the namespace default", async () => {
    const { recorder, events } = await setUp();
    const metadata = { name: `member-${randomUUID()}`, uid: randomUUID() };

    recorder.warning({ apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata }, "ClusterNotReady", "no");

    await eventually(async () => {
      const { items } = await events.list({ fieldSelector: `regarding.name=${metadata.name}` }, "default");
      expect(items).toHaveLength(1);
    });
  });

  it("that is refused costs a debug line, and the next one is tried", async () => {
    const { about, log, recorder, events } = await setUp();
    const nowhere = { ...about, metadata: { ...about.metadata, namespace: "not-there" } };

    recorder.warning(nowhere, "SyncFailed", "no");
    await eventually(() => expect(log.debug).toHaveBeenCalledTimes(1));
    recorder.warning(nowhere, "SyncFailed", "no");
    await eventually(() => expect(log.debug).toHaveBeenCalledTimes(2));

    expect(log.debug).toHaveBeenCalledWith("event not written", expect.objectContaining({ reason: "SyncFailed" }));
    expect((await events.list({}, "not-there")).items).toEqual([]);
  });
});
