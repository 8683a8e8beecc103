// What can happen to one app, and to the clusters that it is in?

/** The members that every app goes to at first. */
export const MEMBERS = ["member1", "member2"] as const;
export type Member = (typeof MEMBERS)[number];

/** Kinds that cost no pods: two of a namespace, and one of the cluster for ClusterResourceBindings. */
export type AppKind = "Deployment" | "ConfigMap" | "ClusterRole";
export type PolicyKind = "PropagationPolicy" | "ClusterPropagationPolicy";

/** `preserveResourcesOnDeletion`; null takes the field away. */
export type Preserve = true | false | null;
/** What the template's annotation and the policies about deletion can say. */
export type Cascade = "orphan" | "background" | "adopted" | "restore";

/** One thing that a person or a program does on the host. */
export type Command =
  | { readonly do: "preserve"; readonly value: Preserve }
  | { readonly do: "annotate"; readonly value: Cascade | null }
  | { readonly do: "edit" }
  /** As `kubectl replace`: what the manifest does not hold goes, our marks and finalizer too. */
  | { readonly do: "replace" }
  | { readonly do: "strip"; readonly what: "finalizer" | "marks" }
  | { readonly do: "delete-template"; readonly propagation: "Background" | "Foreground" | "Orphan" }
  | { readonly do: "new-template" }
  | { readonly do: "delete-policy" }
  /** Another policy under the same name; the old one is deleted first if it is still there. */
  | { readonly do: "new-policy"; readonly value: Preserve }
  /** The placement loses a member; `value` is written in the same edit, absent leaves the field alone. */
  | { readonly do: "leave"; readonly member: Member; readonly value?: Preserve }
  | { readonly do: "return" }
  /** The policy selects another name from now on; `value` is written in the same edit. */
  | { readonly do: "deselect"; readonly value?: Preserve }
  | { readonly do: "reselect"; readonly value?: Preserve }
  | { readonly do: "delete-binding" }
  | { readonly do: "delete-work"; readonly member: Member }
  /** The binding's owner gets the uid of nobody: the garbage collector will come for the binding. */
  | { readonly do: "wrong-owner" }
  | { readonly do: "delete-namespace" }
  | { readonly do: "rule"; readonly rule: Rule }
  | { readonly do: "delete-rule"; readonly name: RuleName };

export type RuleName = "rule-a" | "rule-b";

/** A CascadeDeletionPolicy: made, or edited when it is there. */
export interface Rule {
  readonly name: RuleName;
  /** `other`: it selects another name, and says nothing about the app. */
  readonly by: "name" | "label" | "other";
  readonly value: Cascade;
  readonly target?: Member;
}

/** Commands of one step are sent at the same time. */
export interface Step {
  readonly afterMs: number;
  readonly commands: readonly Command[];
}

/** One app and everything that is done to it. */
export interface App {
  readonly kind: AppKind;
  readonly policyKind: PolicyKind;
  readonly preserve: Preserve;
  readonly conflictResolution: "Abort" | "Overwrite";
  /** Whether the story waits until the app is in both members. */
  readonly settled: boolean;
  readonly steps: readonly Step[];
}

/** What is broken for all apps of a batch. */
export type Fault =
  /** The process that leads crashes; the other one takes over when the Lease has run out. */
  | "kill-leader"
  /** It is asked to end, and hands over. */
  | "stop-leader"
  | "kill-operator"
  | "freeze-leader"
  | "freeze-operator"
  | "kill-host"
  | "stop-host"
  | "kill-member1"
  | "stop-member2"
  | "freeze-member1"
  | "freeze-member2"
  /** Nobody answers the webhooks: writes to our own kinds are refused, deletions pass. */
  | "kill-admission"
  | "stop-admission"
  | "freeze-admission"
  /** The host forgets its history, as it does every five minutes. */
  | "compact-history";

/** One fault: when, and for how long. */
export interface FaultStep {
  readonly afterMs: number;
  readonly fault: Fault;
  readonly forMs: number;
}

/** A Cluster is deleted on the host, as `kubectl delete cluster` does; it is joined again after the batch. */
export interface Departure {
  readonly afterMs: number;
  readonly member: Member;
  /** Its credentials go first: what is in it cannot be reached any more. */
  readonly withSecret: boolean;
}

/** Some apps that live through the same faults. */
export interface Batch {
  readonly apps: readonly App[];
  readonly faults: readonly FaultStep[];
  /** Each of another member. */
  readonly departures: readonly Departure[];
}

/** A command in a few words, for the report. */
export function describeCommand(command: Command): string {
  const { do: name, ...more } = command;
  const words = Object.entries(more).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [name, ...words].join(" ");
}
