// Is what a namespace holds told apart from what could not be read?
import { describe, expect, it } from "vitest";
import type { KubeClient, RequestOptions } from "./client.js";
import { KubeError } from "./errors.js";
import { findLabelled } from "./labelled.js";
import type { ApiResource } from "./resource.js";

const resource = (kind: string, group = ""): ApiResource => {
  return { group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
};

describe("findLabelled", () => {
  it("asks each kind for metadata only, and tells what was found and what could not be read", async () => {
    const asked: { path: string; options: RequestOptions }[] = [];
    const answers: Readonly<Record<string, () => unknown>> = {
      "/api/v1/namespaces/shop/secrets": () => ({ items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }] }),
      "/apis/apps/v1/namespaces/shop/deployments": () => ({}),
      "/api/v1/namespaces/shop/pods": () => {
        throw new KubeError(0, "", "no answer");
      },
      "/apis/x.io/v1/namespaces/shop/widgets": () => {
        throw new KubeError(404, "NotFound", "gone");
      },
    };
    const client = {
      request: async (_method: string, path: string, options: RequestOptions) => {
        asked.push({ path, options });
        return answers[path]?.();
      },
    } as unknown as KubeClient;
    const kinds = [resource("Secret"), resource("Deployment", "apps"), resource("Pod"), resource("Widget", "x.io")];
    const { signal } = new AbortController();

    const { found, unread } = await findLabelled(client, kinds, { namespace: "shop", labelSelector: "a=b", signal });

    expect(found).toEqual([
      { kind: "Secret", name: "a" },
      { kind: "Secret", name: "b" },
    ]);
    expect(unread).toEqual(["Pod"]);
    expect(asked.map(({ path }) => path).sort()).toEqual(Object.keys(answers).sort());
    for (const { options } of asked) {
      expect(options.query).toMatchObject({ labelSelector: "a=b" });
      expect(options.accept).toMatch(/^application\/json;as=PartialObjectMetadataList;/);
      expect(options.signal).toBe(signal);
    }
  });
});
