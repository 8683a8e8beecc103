// What does a member hold of the bench at this moment?
import type { KubeObject } from "../../crds/object.js";
import type { BenchApi } from "./api.js";
import type { Changes } from "./signal.js";
import { editionOf, KINDS, pathOf, SET_LABEL, type Kind, type Template, type Wire } from "./templates.js";
import { watch } from "./watch.js";

interface Entry {
  readonly edition: string | undefined;
  readonly marked: boolean;
  /** When it came to be so, of performance.now(). */
  readonly at: number;
}

const MARK = /(^|\.)(karmada\.io|holdfast\.dev)$/;

/** The bench's objects in one member, kept up to date by watches. Counts are kept, not counted: a burst asks often. */
export class MemberState {
  readonly #entries = new Map<string, Entry>();
  readonly #editions = new Map<string | undefined, number>();
  #marked = 0;
  #deleted = 0;

  constructor(
    readonly api: BenchApi,
    private readonly changes: Changes,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** How many carry a label or annotation of Karmada's or ours. */
  get marked(): number {
    return this.#marked;
  }

  /** How many have been deleted since the start. */
  get deleted(): number {
    return this.#deleted;
  }

  /** How many are in this edition. */
  inEdition(edition: string): number {
    return this.#editions.get(edition) ?? 0;
  }

  /** When this template's copy came to be as it is; undefined while there is none. */
  since({ kind, name }: Template): number | undefined {
    return this.#entries.get(`${kind}/${name}`)?.at;
  }

  /** When this template's copy came to be free of every mark; undefined while it has one, or is not there. */
  freeSince({ kind, name }: Template): number | undefined {
    const entry = this.#entries.get(`${kind}/${name}`);
    return entry && !entry.marked ? entry.at : undefined;
  }

  /** Returns when all there is has been read once. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(KINDS.map(kind => watch(this.api, pathOf(kind), this.#handlerOf(kind), signal)));
  }

  #handlerOf(kind: Kind) {
    return {
      reset: () => [...this.#entries.keys()].filter(id => id.startsWith(`${kind}/`)).forEach(id => this.#drop(id)),
      put: (object: KubeObject) => this.#put(kind, object),
      remove: ({ metadata }: KubeObject) => {
        if (!this.#drop(`${kind}/${metadata.name}`)) return;
        this.#deleted++;
        this.changes.tell();
      },
    };
  }

  #put(kind: Kind, object: KubeObject): void {
    const { name, labels, annotations } = object.metadata;
    if (labels?.[SET_LABEL] === undefined) return;
    const id = `${kind}/${name}`;
    this.#drop(id);
    // Lists leave the kind of their items out.
    const edition = editionOf({ ...(object as Partial<Wire>), kind });
    const marked = Object.keys({ ...labels, ...annotations }).some(isMark);
    this.#entries.set(id, { edition, marked, at: performance.now() });
    this.#editions.set(edition, (this.#editions.get(edition) ?? 0) + 1);
    if (marked) this.#marked++;
    this.changes.tell();
  }

  #drop(id: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    this.#entries.delete(id);
    this.#editions.set(entry.edition, (this.#editions.get(entry.edition) ?? 0) - 1);
    if (entry.marked) this.#marked--;
    return true;
  }
}

/** Whether a label or annotation key is in Karmada's domain or ours. */
export function isMark(key: string): boolean {
  return key.includes("/") && MARK.test(key.split("/")[0] ?? "");
}
