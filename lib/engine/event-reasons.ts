// Which Events may be written, and what are people to make of each? The recorder takes no other; docs/reference/events.md is written from here.

/** One reason in words. */
export interface EventMeaning {
  readonly type: "Normal" | "Warning";
  /** Kinds of the object that the Event is about; `template` is any kind that a policy selects. */
  readonly on: readonly string[];
  readonly when: string;
  /** What to do about it. */
  readonly act: string;
}

/** Every reason we ever write. Karmada's words where Karmada has one (its `pkg/events`). */
export const EVENT_REASONS = {
  ApplyOverridePolicyFailed: {
    type: "Warning",
    on: ["template"],
    when: "An override does not fit this object; the note names cluster, policy and place.",
    act: "Correct the override policy. The named cluster keeps what it has; others are not affected.",
  },
  ClusterLeft: {
    type: "Normal",
    on: ["Cluster"],
    when: "A cluster was removed; the note counts and names what was kept and what was deleted there.",
    act: "Nothing.",
  },
  ClusterNotReady: {
    type: "Warning",
    on: ["Cluster"],
    when: "A cluster does not answer, or answers that it is not well; the note has its words.",
    act: "Bring the cluster back, or its credentials (`holdfast join` renews them). What runs there runs on; its Works wait.",
  },
  ClusterReady: {
    type: "Normal",
    on: ["Cluster"],
    when: "A cluster that was lost is back.",
    act: "Nothing: what waited for it goes on.",
  },
  NotATemplate: {
    type: "Warning",
    on: ["object of a template namespace"],
    when: "It is held here, and a policy that selects it sends it nowhere, since a controller made it, or it belongs to the host; the note says which policy.",
    act: "Select what made it instead; `holdfast tree`, `get KIND/NAME` and `diff` say the same.",
  },
  ResourcesLeftBehind: {
    type: "Warning",
    on: ["Cluster", "Work"],
    when: "A cluster left without an answer, or a namespace there holds what is not ours; the note names what stays.",
    act: "Join the cluster again and unjoin it while it answers, or remove what the note names by hand.",
  },
  ResourcesPreserved: {
    type: "Normal",
    on: ["template", "Cluster"],
    when: "A template was deleted, or left clusters, and its copies there stay, without marks; on a Cluster: a namespace that we made there stays. The note says on whose word.",
    act: "Nothing: the copies are the cluster's own from now on.",
  },
  RestoreFailed: {
    type: "Warning",
    on: ["Work"],
    when: "A copy was to get its earlier values back and did not: the cluster refuses them, or nobody knows them. It was let go of as it is.",
    act: "Set the earlier values by hand in the cluster; the note names object and reason.",
  },
  ScheduleBindingFailed: {
    type: "Warning",
    on: ["template"],
    when: "No cluster fits; the note says why each one was left out.",
    act: "Change the policy's placement, or the clusters (labels, taints, kinds they serve). Copies that are out already stay.",
  },
  SyncFailed: {
    type: "Warning",
    on: ["template"],
    when: "A cluster refused the object, or it is too large for a Work; the note has the cluster's own words.",
    act: "Correct the template, or override what that cluster refuses. It is tried again after every change.",
  },
  WaitingForDependentOverrides: {
    type: "Warning",
    on: ["template"],
    when: "An override policy that the propagation policy names in `spec.dependentOverrides` does not exist; nothing is sent until it does.",
    act: "Create it, or take it out of the list.",
  },
} satisfies Readonly<Record<string, EventMeaning>>;

/** A reason that is in the table. */
export type EventReason = keyof typeof EVENT_REASONS;

/** The reasons of Events of one type: a warning cannot be told as if all were well. */
export type ReasonOf<Type extends EventMeaning["type"]> = {
  [Reason in EventReason]: (typeof EVENT_REASONS)[Reason]["type"] extends Type ? Reason : never;
}[EventReason];
