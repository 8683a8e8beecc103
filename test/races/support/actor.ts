// What does one app's story know, and how does it write down what the API server accepted?
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../crds/object.js";
import * as kinds from "../../../lib/kube/kinds.js";
import type { ApiResource, ObjectName } from "../../../lib/kube/resource.js";
import { MEMBERS, describeCommand, type App, type Cascade, type Command, type Member } from "../model/commands.js";
import type { Preserve } from "../model/commands.js";
import type { Accepted, Change } from "../model/history.js";
import type { Journal, Line } from "./journal.js";
import { TEMPLATES, templateName, templateOf } from "./objects.js";
import { createPolicy } from "./policies.js";
import type { Answer, Writer } from "./writes.js";

/** How long a name is waited for that its last bearer still has. */
const NAME_MS = 4_000;

/** What the story knows of the policy: kept in step with the answers. */
export interface PolicyState {
  readonly id: string;
  readonly value: Preserve;
  readonly members: readonly Member[];
  /** Whether it selects the app. */
  readonly selects: boolean;
}

/** A write that the server took. */
export type Accept = Extract<Answer, { readonly outcome: "accepted" }>;

/** What an actor works with. */
export interface Tools {
  readonly writer: Writer;
  readonly journal: Journal;
  readonly perform: Performer;
}

/** Carries out one command; answers what became of it. */
export type Performer = (actor: Actor, command: Command) => Promise<string>;

/** One app's story. */
export class Actor {
  readonly history: Accepted[] = [];
  readonly lines: Line[] = [];
  /** Answers that did not come, and were found out by reading. */
  lostAnswers = 0;
  policy: PolicyState | undefined;
  template: string | undefined;
  cascade: Cascade | undefined;
  namespaceIsLeaving = false;
  edition = 0;
  #last = 0;

  constructor(
    readonly name: string,
    readonly app: App,
    readonly tools: Tools,
  ) {}

  get writer(): Writer {
    return this.tools.writer;
  }

  get named() {
    return { ...this.app, name: this.name };
  }

  /** The app and its policy, as on the day before. */
  async open(): Promise<void> {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: this.name } };
    if (this.app.kind !== "ClusterRole")
      await this.attempt(() => this.writer.create(kinds.NAMESPACES, namespace), kinds.NAMESPACES, namespace.metadata);
    await Promise.all([createPolicy(this, this.app.preserve), this.createTemplate()]);
  }

  /** True when the app bears our marks in every member. */
  isSettled(): boolean {
    const copies = [...this.tools.journal.page(this.name).copies.values()];
    return MEMBERS.every(member => copies.some(copy => copy.member === member && copy.marked));
  }

  async play(): Promise<void> {
    for (const { afterMs, commands } of this.app.steps) {
      await sleep(afterMs);
      await Promise.all(commands.map(command => this.#perform(command)));
    }
  }

  async #perform(command: Command): Promise<void> {
    const words = describeCommand(command);
    this.tell(`> ${words}`);
    const said = await this.tools.perform(this, command);
    this.tell(`< ${words}: ${said}`);
  }

  tell(text: string): void {
    this.lines.push({ ms: Date.now(), text });
  }

  /**
   * Sends a write; when no answer comes, finds out by reading whether it has been accepted.
   * @param landed what tells that it has; existence unless said otherwise.
   */
  async attempt(
    send: () => Promise<Answer>,
    resource: ApiResource,
    target: ObjectName,
    landed: (object: KubeObject | undefined) => boolean = object => object !== undefined,
  ): Promise<Answer> {
    const answer = await send();
    if (answer.outcome !== "lost") return answer;
    this.lostAnswers++;
    this.tell(`  no answer: ${answer.why}`);
    const object = await this.writer.read(resource, target);
    if (landed(object)) return { outcome: "accepted", object, foundLater: true };
    return { outcome: "refused", status: 0, why: "had not been accepted" };
  }

  /** Writes down what an answer means. A lost one's revision is only known to be between two others. */
  note({ object, foundLater }: Accept, ms: number, change: Change): void {
    const revision = Number(object?.metadata.resourceVersion ?? this.#last + 1);
    const from = object && !foundLater ? revision : this.#last + 1;
    this.history.push({ from, at: Math.max(revision, from), ms, change });
    this.#last = Math.max(this.#last, revision);
  }

  async createTemplate(): Promise<string> {
    const target = templateName(this.named);
    const ms = Date.now();
    const object = templateOf(this.named, this.edition);
    const answer = await this.whenFree(() => this.writer.create(this.templateKind, object), this.templateKind, target);
    if (answer.outcome !== "accepted") return wordsOf(answer);
    this.template = answer.object?.metadata.uid ?? "";
    this.cascade = undefined;
    this.note(answer, ms, { type: "template", uid: this.template, cascade: undefined });
    return wordsOf(answer);
  }

  get templateKind(): ApiResource {
    return TEMPLATES[this.app.kind];
  }

  /** Creates under a name that may still be taken by one that leaves. */
  async whenFree(send: () => Promise<Answer>, resource: ApiResource, target: ObjectName): Promise<Answer> {
    const deadline = Date.now() + NAME_MS;
    for (;;) {
      const answer = await this.attempt(
        send,
        resource,
        target,
        object => object !== undefined && !object.metadata.deletionTimestamp,
      );
      const isTaken = answer.outcome === "refused" && answer.status === 409;
      if (!isTaken || Date.now() > deadline) return answer;
      await sleep(20);
    }
  }

  /** The objects of the app on the host, as the watches have them. */
  hosted(...ofKind: readonly string[]): KubeObject[] {
    return [...this.tools.journal.page(this.name).host.values()].filter(({ kind }) => ofKind.includes(kind));
  }

  async editTemplate(body: unknown, landed: (object: KubeObject) => boolean, change?: Change): Promise<string> {
    if (!this.template) return "no template";
    const ms = Date.now();
    const target = templateName(this.named);
    const answer = await this.attempt(
      () => this.writer.patch(this.templateKind, target, body),
      this.templateKind,
      target,
      object => object !== undefined && landed(object),
    );
    if (answer.outcome === "accepted" && change) this.note(answer, ms, change);
    return wordsOf(answer);
  }

  /** Deletes; the watches tell at which revision, where the answer does not. */
  async remove(resource: ApiResource, target: ObjectName, propagation?: string): Promise<Answer> {
    return this.attempt(
      () => this.writer.delete(resource, target, propagation),
      resource,
      target,
      object => object === undefined || object.metadata.deletionTimestamp !== undefined,
    );
  }
}

/** What became of a write, for the report; begins with @ when it was accepted. */
export function wordsOf(answer: Answer): string {
  if (answer.outcome === "accepted") return `@${answer.object?.metadata.resourceVersion ?? "gone"}`;
  return answer.outcome === "refused" ? `refused (${answer.status}) ${answer.why}` : `lost: ${answer.why}`;
}
