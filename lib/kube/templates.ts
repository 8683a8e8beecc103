// The kinds that policies name, watched on the host from the first policy or binding that needs one.
import type { KubeObject } from "../../crds/object.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../domain/marks.js";
import { ownedFieldsOnly } from "./slim.js";
import type { KubeClient } from "./client.js";
import { Collection } from "./collection.js";
import type { Discovery } from "./discovery.js";
import type { ReflectorLog } from "./reflector.js";
import { apiVersionOf, type ApiResource } from "./resource.js";
import type { StoreChange } from "./store.js";
import { dropUnserved } from "./unserved.js";

/** Which object of which kind; `namespace` is absent for cluster-scoped ones. */
export interface TemplateRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Told of every change of every watched template. */
export type TemplateListener = (ref: TemplateRef, change: StoreChange) => void;

/** Index of templates by the permanent id of the policy that has claimed them. */
export const TEMPLATES_BY_CLAIM = "claim";

function claimsOf(template: KubeObject): readonly string[] {
  return [PP_ID_LABEL, CPP_ID_LABEL].flatMap(label => template.metadata.labels?.[label] ?? []);
}

/** A template's reference as one string, for queues. */
export function templateKey({ apiVersion, kind, namespace, name }: TemplateRef): string {
  return [apiVersion, kind, namespace ?? "", name].join("|");
}

/** The reverse of `templateKey`. */
export function parseTemplateKey(key: string): TemplateRef {
  const [apiVersion = "", kind = "", namespace = "", name = ""] = key.split("|");
  return { apiVersion, kind, namespace: namespace || undefined, name };
}

/** The reference of an object. */
export function templateRefOf(object: KubeObject): TemplateRef {
  const { namespace, name } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
}

/** One collection per kind that somebody needs; a kind the host does not serve yet is asked for again later. */
export class TemplateKinds {
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Set<TemplateListener>();

  constructor(
    readonly client: KubeClient,
    readonly discovery: Discovery,
    readonly log: ReflectorLog,
  ) {}

  /** The collection of a kind, started when it is new; `undefined` when the host does not serve the kind. */
  ensure(apiVersion: string, kind: string): Collection | undefined {
    const id = `${apiVersion}/${kind}`;
    const existing = this.#collections.get(id);
    if (existing) return existing;
    const resource = this.discovery.find(apiVersion, kind);
    if (!resource || !["list", "watch", "patch"].every(v => resource.verbs.includes(v))) return undefined;
    const collection = new Collection(this.client, resource, {
      transform: ownedFieldsOnly,
      indexes: { [TEMPLATES_BY_CLAIM]: claimsOf },
      reflector: { log: this.log },
    });
    this.#collections.set(id, collection);
    collection.subscribe(change => this.#tell(resource, change));
    collection.start();
    return collection;
  }

  /** The collection of a kind if it is watched. */
  of(apiVersion: string, kind: string): Collection | undefined {
    return this.#collections.get(`${apiVersion}/${kind}`);
  }

  /** All templates that a policy has claimed, by the policy's permanent id. */
  claimedBy(policyId: string): KubeObject[] {
    return [...this.#collections.values()].flatMap(c => c.store.byIndex(TEMPLATES_BY_CLAIM, policyId));
  }

  /** All watched kinds. */
  collections(): IterableIterator<Collection> {
    return this.#collections.values();
  }

  /** The template itself, as last seen. */
  find(ref: TemplateRef): KubeObject | undefined {
    return this.of(ref.apiVersion, ref.kind)?.find(ref);
  }

  subscribe(listener: TemplateListener): void {
    this.#listeners.add(listener);
  }

  /** Stops watching kinds that the host has certainly ceased to serve: their watches would ask for ever. */
  dropUnserved(): Promise<void> {
    return dropUnserved(this.#collections, this.discovery);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#collections.values()].map(c => c.stop()));
    this.#collections.clear();
  }

  #tell(resource: ApiResource, change: StoreChange): void {
    const metadata = (change.after ?? change.before)?.metadata;
    if (!metadata) return;
    const { namespace, name } = metadata;
    const ref = { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name };
    for (const listener of this.#listeners) listener(ref, change);
  }
}
