// Brings templates onto the host and waits until the operator has taken their objects over, unharmed.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { Discovery } from "../../lib/kube/discovery.js";
import { messageOf } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import type { Progress } from "../output/progress.js";
import { untilDone } from "../rollback/until.js";
import { objectKey } from "../view/adoption.js";
import { judgeHealth, readHealth, type Health } from "./health.js";
import { MADE_BY_ANNOTATION, MIGRATION_MANAGER } from "./names.js";
import { takenOf, worksFor } from "./taken.js";
import { fullTitleOf } from "./verdict.js";

/** One object that is to be taken over. */
export interface Mover {
  /** As it is to be on the host. */
  readonly template: KubeObject;
  /** UID of the object in the member. */
  readonly uid: string;
  /** How it did before; absent for what can have no Pods. */
  readonly health?: Health;
  readonly rollsOut: boolean;
}

/** Where it happens, and how long nothing may move. */
export interface Course {
  readonly fleet: Fleet;
  readonly member: MemberAccess;
  readonly progress: Progress;
  /** Milliseconds. */
  readonly stillMs: number;
  /** The Works of the member, where somebody watches them; else they are asked for. */
  readonly works?: () => ReadonlyMap<string, Work>;
}

/** Why one object stops the whole. */
export interface Trouble {
  readonly mover: Mover;
  readonly why: string;
}

/** Server-side apply, under a name of its own: nothing that others own on the host is taken. @throws KubeError */
export async function applyOnHost(fleet: Pick<Fleet, "host" | "discovery">, object: KubeObject): Promise<KubeObject> {
  const resource = servedOn(fleet.discovery, object);
  const objects = new ResourceClient(fleet.host.client, resource);
  const { object: made } = await objects.apply(withOrigin(object), { manager: MIGRATION_MANAGER });
  return { ...made, apiVersion: object.apiVersion, kind: object.kind };
}

function withOrigin(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [MADE_BY_ANNOTATION]: MIGRATION_MANAGER };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function servedOn(discovery: Discovery, { apiVersion, kind }: KubeObject) {
  const resource = discovery.find(apiVersion, kind);
  if (resource) return resource;
  throw new Error(`the host serves no ${apiVersion} ${kind}; install its CRD there`);
}

/** All of them at once. Answers what went wrong; nothing is undone. @throws KubeError when a cluster cannot be read */
export async function bring(course: Course, movers: readonly Mover[]): Promise<readonly Trouble[]> {
  const troubles: Trouble[] = [];
  const written = await mapLimited(movers, async mover => {
    try {
      return [{ ...mover, template: await applyOnHost(course.fleet, mover.template) }];
    } catch (error) {
      troubles.push({ mover, why: `the host does not take its template: ${messageOf(error)}` });
      return [];
    }
  });
  const taken = await untilTaken(course, written.flat());
  return [...troubles, ...taken.troubles, ...(await untilWell(course, taken.done))];
}

/** An attempt that failed may succeed again for so long: members answer late, quotas are freed. */
const PATIENCE_MS = 10_000;

interface Outcome {
  readonly done: readonly Mover[];
  readonly troubles: readonly Trouble[];
}

async function untilTaken(course: Course, movers: readonly Mover[]): Promise<Outcome> {
  const { progress, stillMs } = course;
  const failing = new Map<Mover, number>();
  const words = new Map<Mover, string>();
  const final = new Set<Mover>();
  const late = await untilDone(movers, {
    open: async pending => {
      const works = await worksOf(course, pending);
      return pending.filter(mover => isOpen(mover, works.get(objectKey(mover.template))));
    },
    stillMs,
    progress,
    what: "objects taken over",
    hint: pending => `waits for the operator to take over ${pending.length} object(s): ${wordsOn(pending[0])}`,
  });
  const lost = [...final, ...late];
  const troubles = lost.map(mover => ({ mover, why: words.get(mover) ?? "it has not been taken over" }));
  return { done: movers.filter(mover => !lost.includes(mover)), troubles };

  function wordsOn(mover: Mover = NOBODY): string {
    return `${fullTitleOf(mover.template)}: ${words.get(mover) ?? ""}`;
  }

  function isOpen(mover: Mover, work: Parameters<typeof takenOf>[0]): boolean {
    const taken = takenOf(work, mover.template, mover.uid);
    if (taken.state === "applied") return false;
    words.set(mover, taken.why);
    if (taken.state === "failed" && !failing.has(mover)) failing.set(mover, performance.now());
    if (taken.state === "pending") failing.delete(mover);
    const since = failing.get(mover) ?? performance.now();
    const isFinal = taken.state === "replaced" || performance.now() - since > PATIENCE_MS;
    if (isFinal) final.add(mover);
    return !isFinal;
  }
}

function worksOf({ fleet, member, works }: Course, movers: readonly Mover[]): Promise<ReadonlyMap<string, Work>> {
  const templates = movers.map(({ template }) => template);
  return works ? Promise.resolve(works()) : worksFor(fleet.host.client, member.name, templates);
}

const NOBODY: Mover = { template: { apiVersion: "", kind: "", metadata: { name: "" } }, uid: "", rollsOut: false };

/** Until every workload does as well as before. @throws KubeError */
export async function untilWell(course: Course, movers: readonly Mover[]): Promise<readonly Trouble[]> {
  const { member, progress, stillMs } = course;
  const suffering = new Map<Mover, string>();
  const words = new Map<Mover, string>();
  const workloads = movers.filter(({ health }) => health !== undefined);
  const late = await untilDone(workloads, {
    open: async pending => {
      const now = await readHealth(
        member,
        pending.map(({ template }) => template),
      );
      return pending.filter(mover => {
        const { health: before, rollsOut, template } = mover;
        if (!before) return false;
        const judged = judgeHealth({ before, rollsOut }, now.get(objectKey(template)));
        if (judged.state === "fine") return false;
        words.set(mover, judged.why);
        if (judged.state === "suffers") suffering.set(mover, judged.why);
        return judged.state === "waits";
      });
    },
    stillMs,
    progress,
    what: "workloads as well as before",
    hint: pending =>
      `waits for ${fullTitleOf((pending[0] ?? NOBODY).template)}: ${words.get(pending[0] ?? NOBODY) ?? ""}`,
  });
  return [...suffering.keys(), ...late].map(mover => ({ mover, why: words.get(mover) ?? "" }));
}
