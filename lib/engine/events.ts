// Tells people what they should act on, as Events on the object concerned; the same thing twice is one Event with a count.
import { createHash } from "node:crypto";
import type { KubeObject } from "../../crds/object.js";
import { apiVersionOf, ResourceClient, type ApiResource } from "../kube/resource.js";
import type { KubeClient } from "../kube/client.js";
import { isNotFound, messageOf } from "../kube/errors.js";
import type { Logger } from "./log.js";

/** Every reason we ever write. Karmada's words where Karmada has one. */
export type EventReason =
  | "ApplyPolicyFailed"
  | "ApplyOverridePolicyFailed"
  | "SyncFailed"
  | "ResourcesPreserved"
  | "ResourcesReleased"
  | "ResourcesLeftBehind"
  | "FinalizerBlocked"
  | "ScheduleBindingFailed"
  | "ClusterNotReady"
  | "ClusterReady"
  | "WaitingForDependentOverrides";

/** Writes Events; never throws and never waits: a lost Event must not hold up a workload. */
export interface EventRecorder {
  normal(about: KubeObject, reason: EventReason, note: string): void;
  warning(about: KubeObject, reason: EventReason, note: string): void;
}

const EVENTS: ApiResource = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
};
const NOTE_LIMIT = 1_000;
const QUIET_MS = 300_000;
const REMEMBERED = 2_000;

/** Events of events.k8s.io/v1. A repetition within five minutes is not sent; later ones raise `series.count`. */
export function eventRecorder(client: KubeClient, log: Logger, instance: string): EventRecorder {
  const events = new ResourceClient(client, EVENTS);
  const sent = new Map<string, { at: number; count: number }>();

  function record(type: "Normal" | "Warning", about: KubeObject, reason: EventReason, text: string): void {
    const note = text.slice(0, NOTE_LIMIT);
    const id = createHash("sha256")
      .update([about.metadata.uid ?? about.metadata.name, type, reason, note].join("\n"))
      .digest("hex")
      .slice(0, 16);
    const before = sent.get(id);
    if (before && Date.now() - before.at < QUIET_MS) return;
    const count = (before?.count ?? 0) + 1;
    remember(id, count);
    const name = `${about.metadata.name.slice(0, 200)}.${id}`;
    const namespace = about.metadata.namespace ?? "default";
    const write = count === 1 ? create(name, namespace) : repeat(name, namespace, count);
    write.catch((error: unknown) => log.debug("event not written", { reason, error: messageOf(error) }));

    async function create(eventName: string, eventNamespace: string): Promise<void> {
      await events.create({
        apiVersion: apiVersionOf(EVENTS),
        kind: "Event",
        metadata: { name: eventName, namespace: eventNamespace },
        eventTime: microTime(),
        reportingController: "holdfast.dev/holdfast",
        reportingInstance: instance,
        action: reason,
        reason,
        type,
        note,
        regarding: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name: about.metadata.name,
          namespace: about.metadata.namespace,
          uid: about.metadata.uid,
          resourceVersion: about.metadata.resourceVersion,
        },
      });
    }
  }

  async function repeat(name: string, namespace: string, count: number): Promise<void> {
    try {
      await events.mergePatch({ name, namespace }, { series: { count, lastObservedTime: microTime() } });
    } catch (error) {
      // Events live for an hour; the next one starts anew.
      if (!isNotFound(error)) throw error;
    }
  }

  function remember(id: string, count: number): void {
    sent.delete(id);
    sent.set(id, { at: Date.now(), count });
    const oldest = sent.keys().next().value;
    if (sent.size > REMEMBERED && oldest !== undefined) sent.delete(oldest);
  }

  return {
    normal: (about, reason, note) => record("Normal", about, reason, note),
    warning: (about, reason, note) => record("Warning", about, reason, note),
  };
}

/** metav1.MicroTime. */
function microTime(): string {
  return new Date().toISOString().replace(/Z$/, "000Z");
}
