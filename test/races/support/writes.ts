// How does a person write to the host, and what is known when no answer comes?
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../crds/object.js";
import type { KubeClient, PatchType, Query } from "../../../lib/kube/client.js";
import { KubeError, messageOf } from "../../../lib/kube/errors.js";
import { collectionPath, objectPath, type ApiResource, type ObjectName } from "../../../lib/kube/resource.js";

/** What became of a write. `lost`: it may have been accepted or not. */
export type Answer =
  | { readonly outcome: "accepted"; readonly object: KubeObject | undefined; readonly foundLater?: true }
  | { readonly outcome: "refused"; readonly status: number; readonly why: string }
  | { readonly outcome: "lost"; readonly why: string };

/** Reads and writes as `kubectl` does. */
export class Writer {
  constructor(readonly client: KubeClient) {}

  create(resource: ApiResource, object: KubeObject): Promise<Answer> {
    const path = collectionPath(resource, object.metadata.namespace);
    return this.#send("POST", path, { body: object, query: { fieldManager: "kubectl-create" } });
  }

  /** Without a revision: whatever is there is replaced. */
  replace(resource: ApiResource, object: KubeObject): Promise<Answer> {
    const path = objectPath(resource, object.metadata);
    return this.#send("PUT", path, { body: object, query: { fieldManager: "kubectl-replace" } });
  }

  patch(resource: ApiResource, target: ObjectName, body: unknown, patch: PatchType = "merge"): Promise<Answer> {
    return this.#send("PATCH", objectPath(resource, target), { body, patch, query: { fieldManager: "kubectl-edit" } });
  }

  delete(resource: ApiResource, target: ObjectName, propagationPolicy = "Background"): Promise<Answer> {
    const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy };
    return this.#send("DELETE", objectPath(resource, target), { body });
  }

  /** The object, or `undefined` when there is none; asks until the server answers. */
  async read(resource: ApiResource, target: ObjectName): Promise<KubeObject | undefined> {
    for (;;) {
      const answer = await this.#send("GET", objectPath(resource, target), {});
      if (answer.outcome === "accepted") return answer.object;
      if (answer.outcome === "refused" && answer.status === 404) return undefined;
      await sleep(200);
    }
  }

  async #send(
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly patch?: PatchType; readonly query?: Query },
  ): Promise<Answer> {
    try {
      const object = await this.client.request<KubeObject>(method, path, options);
      return { outcome: "accepted", object: object.kind === "Status" ? undefined : object };
    } catch (error) {
      const status = error instanceof KubeError ? error.status : 0;
      const why = messageOf(error);
      // 5xx too: the server may have fallen after it had written. But a webhook is asked before that.
      const isCertain = (status >= 400 && status < 500) || why.includes("failed calling webhook");
      return isCertain ? { outcome: "refused", status, why } : { outcome: "lost", why };
    }
  }
}
