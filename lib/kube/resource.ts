// The verbs of one kind in one cluster, as typed calls.
import type { KubeObject } from "../../crds/object.js";
import type { PatchOperation } from "../domain/json-patch.js";
import type { KubeClient, Query } from "./client.js";
import { isNotFound } from "./errors.js";

/** One kind as the API server serves it. `group` is empty for the core group. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** How a server-side apply is sent. */
export interface ApplyOptions {
  readonly manager: string;
  /** Take fields over from other managers. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Which object: `namespace` is absent for cluster-scoped kinds. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** The path of a collection, or of all namespaces when `namespace` is absent. */
export function collectionPath(resource: ApiResource, namespace?: string): string {
  const base = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`;
  const scope = resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${base}${scope}/${resource.plural}`;
}

/** The path of one object, or of a subresource of it. */
export function objectPath(resource: ApiResource, target: ObjectName, subresource?: string): string {
  const path = `${collectionPath(resource, target.namespace)}/${encodeURIComponent(target.name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** `apps/v1`, `v1`. */
export function apiVersionOf(resource: ApiResource): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

/** Key of a kind, the same for every version of it: `apps/Deployment`, `/ConfigMap`. */
export function groupKindOf(resource: Pick<ApiResource, "group" | "kind">): string {
  return `${resource.group}/${resource.kind}`;
}

/** Typed verbs of one kind in one cluster. All throw `KubeError`. */
export class ResourceClient<T extends KubeObject = KubeObject> {
  constructor(
    readonly client: KubeClient,
    readonly resource: ApiResource,
  ) {}

  /** The object, or `undefined` when the server says it is not there. */
  async find(target: ObjectName, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await this.client.request<T>("GET", objectPath(this.resource, target), { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** All objects, in pages of 500. */
  async list(
    query: Query = {},
    namespace?: string,
    signal?: AbortSignal,
  ): Promise<{ items: T[]; resourceVersion: string }> {
    const path = collectionPath(this.resource, namespace);
    const items: T[] = [];
    let page: ListPage<T>;
    let next: string | undefined;
    do {
      // The revision is part of the continue token; sending both is refused.
      const first =
        next === undefined ? query : { ...query, resourceVersion: undefined, resourceVersionMatch: undefined };
      const paged = { ...first, limit: query["limit"] ?? 500, continue: next };
      page = await this.client.request<ListPage<T>>("GET", path, { query: paged, signal });
      // Items of a list carry neither apiVersion nor kind.
      for (const item of page.items ?? []) items.push({ ...item, ...this.#identity() });
      next = page.metadata.continue || undefined;
    } while (next);
    return { items, resourceVersion: page.metadata.resourceVersion };
  }

  create(object: T, signal?: AbortSignal): Promise<T> {
    const path = collectionPath(this.resource, object.metadata.namespace);
    return this.client.request<T>("POST", path, { body: object, query: { fieldManager: "holdfast" }, signal });
  }

  /** Replaces the object; its resourceVersion is the precondition. Status is left alone where it is a subresource. */
  replace(object: T, subresource?: string): Promise<T> {
    const path = objectPath(this.resource, object.metadata, subresource);
    return this.client.request<T>("PUT", path, { body: object, query: { fieldManager: "holdfast" } });
  }

  /** Server-side apply. `created` tells a new object from one that was there. */
  async apply(
    object: KubeObject,
    options: ApplyOptions,
    signal?: AbortSignal,
  ): Promise<{ created: boolean; object: T }> {
    const { status, body } = await this.client.send<T>("PATCH", objectPath(this.resource, object.metadata), {
      body: object,
      patch: "apply",
      signal,
      query: {
        fieldManager: options.manager,
        force: options.force || undefined,
        dryRun: options.dryRun ? "All" : undefined,
      },
    });
    return { created: status === 201, object: body };
  }

  /** RFC 6902 patch. */
  jsonPatch(target: ObjectName, operations: readonly PatchOperation[], subresource?: string): Promise<T> {
    const path = objectPath(this.resource, target, subresource);
    return this.client.request<T>("PATCH", path, {
      body: operations,
      patch: "json",
      query: { fieldManager: "holdfast" },
    });
  }

  /** RFC 7386 patch; `null` removes a field. */
  mergePatch(target: ObjectName, body: unknown, subresource?: string, signal?: AbortSignal): Promise<T> {
    const path = objectPath(this.resource, target, subresource);
    const query = { fieldManager: "holdfast" };
    return this.client.request<T>("PATCH", path, { body, patch: "merge", query, signal });
  }

  /**
   * Deletes in the background with the given preconditions. Returns what is left of the object (it may be Terminating),
   * or `undefined` when it is gone or was not there.
   */
  async delete(
    target: ObjectName,
    preconditions: { uid?: string; resourceVersion?: string } = {},
  ): Promise<T | undefined> {
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background", preconditions };
    try {
      const left = await this.client.request<T>("DELETE", objectPath(this.resource, target), { body });
      return left.kind === "Status" ? undefined : left;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Deletes in the background all that a selector finds in a namespace. */
  async deleteAll(query: Query, namespace: string): Promise<void> {
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
    await this.client.request("DELETE", collectionPath(this.resource, namespace), { query, body });
  }

  /**
   * Takes one finalizer away; gone or not there is done. Guarded by uid and by the finalizer's own place, not by
   * resourceVersion: a status write in the meantime is no reason to fail. `asRead`: any write in the meantime is.
   */
  async removeFinalizer(
    object: KubeObject,
    finalizer: string,
    { asRead = false }: { readonly asRead?: boolean } = {},
  ): Promise<T | undefined> {
    const place = (object.metadata.finalizers ?? []).indexOf(finalizer);
    if (place < 0) return undefined;
    const path = `/metadata/finalizers/${place}`;
    const { resourceVersion } = object.metadata;
    try {
      return await this.jsonPatch(object.metadata, [
        { op: "test", path: "/metadata/uid", value: object.metadata.uid },
        ...(asRead ? [{ op: "test" as const, path: "/metadata/resourceVersion", value: resourceVersion }] : []),
        { op: "test", path, value: finalizer },
        { op: "remove", path },
      ]);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #identity(): { apiVersion: string; kind: string } {
    return { apiVersion: apiVersionOf(this.resource), kind: this.resource.kind };
  }
}

interface ListPage<T> {
  readonly items?: readonly T[] | null;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}
