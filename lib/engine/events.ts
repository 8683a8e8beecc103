// Tells people what they should act on, as Events on the object concerned; the same thing twice is one Event with a count.
import { createHash } from "node:crypto";
import type { KubeObject } from "../../crds/object.js";
import { apiVersionOf, ResourceClient, type ApiResource, type ObjectName } from "../kube/resource.js";
import type { KubeClient } from "../kube/client.js";
import { isConflict, isNotFound, messageOf } from "../kube/errors.js";
import { microTime, systemClock, type Clock } from "./clock.js";
import type { EventReason, ReasonOf } from "./event-reasons.js";
import type { Logger } from "./log.js";
import { truncateBytes } from "./truncate.js";

/** Writes Events; never throws and never waits: a lost Event must not hold up a workload. */
export interface EventRecorder {
  normal(about: KubeObject, reason: ReasonOf<"Normal">, note: string): void;
  warning(about: KubeObject, reason: ReasonOf<"Warning">, note: string): void;
}

const EVENTS: ApiResource = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
};
/** Bytes; the API takes 1,024. */
const NOTE_LIMIT = 1_000;
const QUIET_MS = 300_000;
const REMEMBERED = 2_000;

/** One Event and how often it was meant to be seen. */
interface Occurrence {
  readonly type: "Normal" | "Warning";
  readonly about: KubeObject;
  readonly reason: EventReason;
  readonly note: string;
}

/** Events of events.k8s.io/v1. A repetition within five minutes is not sent; later ones raise `series.count`. */
export function eventRecorder(
  client: KubeClient,
  log: Logger,
  instance: string,
  clock: Clock = systemClock,
): EventRecorder {
  const events = new ResourceClient(client, EVENTS);
  const sent = new Map<string, { readonly at: number; readonly count: number }>();

  function record(type: Occurrence["type"], about: KubeObject, reason: EventReason, text: string): void {
    const occurrence = { type, about, reason, note: truncateBytes(text, NOTE_LIMIT) };
    const id = idOf(occurrence);
    const before = sent.get(id);
    if (before && clock.now() - before.at < QUIET_MS) return;
    const count = (before?.count ?? 0) + 1;
    remember(id, count);
    write(id, occurrence, count).catch((error: unknown) => {
      // It was never seen: the next time is the first.
      sent.delete(id);
      log.debug("event not written", { reason, error: messageOf(error) });
    });
  }

  async function write(id: string, occurrence: Occurrence, count: number): Promise<void> {
    const target = { namespace: occurrence.about.metadata.namespace ?? "default", name: nameOf(occurrence.about, id) };
    if (count > 1 && (await repeat(target, count))) return;
    try {
      await events.create(eventOf(occurrence, target, instance));
      remember(id, 1);
    } catch (error) {
      // Written by the process before this one.
      if (!isConflict(error)) throw error;
      const there = await events.find(target);
      const next = ((there?.["series"] as { count?: number } | undefined)?.count ?? 1) + 1;
      await repeat(target, next);
      remember(id, next);
    }
  }

  /** False when the Event is no longer there: Events live for an hour. */
  async function repeat(target: ObjectName, count: number): Promise<boolean> {
    try {
      await events.mergePatch(target, { series: { count, lastObservedTime: microTime() } });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  function remember(id: string, count: number): void {
    sent.delete(id);
    sent.set(id, { at: clock.now(), count });
    const oldest = sent.keys().next().value;
    if (sent.size > REMEMBERED && oldest !== undefined) sent.delete(oldest);
  }

  return {
    normal: (about, reason, note) => record("Normal", about, reason, note),
    warning: (about, reason, note) => record("Warning", about, reason, note),
  };
}

function eventOf({ type, about, reason, note }: Occurrence, target: ObjectName, instance: string): KubeObject {
  const { name, namespace, uid, resourceVersion } = about.metadata;
  return {
    apiVersion: apiVersionOf(EVENTS),
    kind: "Event",
    metadata: target,
    eventTime: microTime(),
    reportingController: "holdfast.dev/holdfast",
    reportingInstance: instance.slice(0, 128),
    action: reason,
    reason,
    type,
    note,
    regarding: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid, resourceVersion },
  };
}

/** The same thing about the same object has the same name, in every process. */
function idOf({ type, about, reason, note }: Occurrence): string {
  const parts = [about.metadata.uid ?? about.metadata.name, type, reason, note];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/** Names of RBAC objects and CRDs' may hold what an Event's name cannot: `system:node`. */
function nameOf(about: KubeObject, id: string): string {
  const readable = about.metadata.name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
  return `${readable.slice(0, 200)}-${id}`.replace(/^-+/, "");
}
