// Does an object get its earlier values back, and can it be let go of when it does not?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { PatchOperation } from "../../lib/domain/json-patch.js";
import { applyJsonPatch } from "../../lib/domain/json-patch.js";
import type { Collection } from "../../lib/kube/collection.js";
import { KubeError } from "../../lib/kube/errors.js";
import { OvertakenError } from "./objects.js";
import { putBack } from "./put-back.js";

const owner = (manager: string) => [{ manager, operation: "Apply", fieldsV1: { "f:data": { "f:a": {} } } }];

function configMap(a: string, manager: string, resourceVersion = "7"): KubeObject {
  const metadata = { name: "cfg", namespace: "shop", uid: "u", resourceVersion, managedFields: owner(manager) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a } } as KubeObject;
}

const live = configMap("2", "holdfast");
const before = configMap("1", "kubectl", "3");

const IMMUTABLE = 'ConfigMap "cfg" is invalid: data: field is immutable';

interface Answer {
  readonly status: number;
  readonly version?: string;
  readonly says?: string;
}

/** A member that answers a patch with `status` (200: it is done), and has the object at `version` when it is read then. */
function objectsOf({ status, version = "7", says = IMMUTABLE }: Answer) {
  const sent: string[] = [];
  const client = {
    jsonPatch(_target: unknown, patch: readonly PatchOperation[]) {
      sent.push("patch");
      if (status !== 200) return Promise.reject(new KubeError(status, "Invalid", says));
      return Promise.resolve(applyJsonPatch(live, patch));
    },
    find() {
      sent.push("read");
      return Promise.resolve(configMap("2", "holdfast", version));
    },
  };
  return { objects: { client } as unknown as Collection, sent };
}

describe("putBack", () => {
  it("writes the earlier values and answers with the object as it is then", async () => {
    const { objects, sent } = objectsOf({ status: 200 });

    const { object, refused } = await putBack(objects, live, before);

    expect({ data: object["data"], refused, sent }).toEqual({ data: { a: "1" }, refused: undefined, sent: ["patch"] });
  });

  it("writes nothing where every value is as it was", async () => {
    const { objects, sent } = objectsOf({ status: 200 });

    expect(await putBack(objects, configMap("1", "holdfast"), before)).toEqual({ object: configMap("1", "holdfast") });
    expect(sent).toEqual([]);
  });

  it.each([400, 403, 422])("gives up what the member refuses with %i, in its words", async status => {
    const { objects } = objectsOf({ status });

    expect(await putBack(objects, live, before)).toEqual({ object: live, refused: IMMUTABLE });
  });

  it.each([
    { status: 422, version: "8" },
    { status: 409, version: "7" },
    { status: 422, version: "7", says: "the server rejected our request due to an error in our request" },
  ])("is overtaken, not refused, by $status when the object is at $version", async answer => {
    await expect(putBack(objectsOf(answer).objects, live, before)).rejects.toThrow(OvertakenError);
  });

  it.each([0, 401, 404, 429, 500])("leaves an answer of %i to the next try", async status => {
    await expect(putBack(objectsOf({ status }).objects, live, before)).rejects.toThrow(KubeError);
  });
});
