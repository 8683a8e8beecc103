// Does a kind that cannot be listed let go of whoever waits for it, and say why?
import { describe, expect, it, onTestFinished } from "vitest";
import { KubeClient } from "./client.js";
import { Collection } from "./collection.js";
import { KubeError } from "./errors.js";
import { SECRETS } from "./kinds.js";

/** An API server that gives every list the same answer, or none. */
class FakeServer extends KubeClient {
  constructor(readonly answer: () => Promise<unknown>) {
    super({ server: "https://127.0.0.1:1" });
  }

  override request<T>(): Promise<T> {
    return this.answer() as Promise<T>;
  }

  override async *stream<T>(): AsyncGenerator<T> {
    await new Promise(() => {});
    yield* [];
  }
}

function collection(answer: () => Promise<unknown>): Collection {
  const secrets = new Collection(new FakeServer(answer), SECRETS);
  secrets.start();
  return secrets;
}

const forbidden = (): Promise<never> => Promise.reject(new KubeError(403, "Forbidden", "secrets is forbidden"));
const silent = (): Promise<never> => new Promise(() => {});

describe("whenSynced", () => {
  it("resolves once the kind is listed", async () => {
    const secrets = collection(() => Promise.resolve({ items: [], metadata: { resourceVersion: "1" } }));

    await secrets.whenSynced(new AbortController().signal);

    expect(secrets.store.synced).toBe(true);
  });

  it("throws the server's refusal at once when the kind is known to be refused", async () => {
    const secrets = collection(forbidden);
    onTestFinished(() => secrets.stop());
    while (secrets.reflector.lastFailure === undefined) await new Promise(resolve => setTimeout(resolve, 1));
    const started = performance.now();

    const waiting = secrets.whenSynced(new AbortController().signal);

    await expect(waiting).rejects.toMatchObject({
      status: 403,
      reason: "Forbidden",
      message: "cannot list /api/v1/secrets: secrets is forbidden",
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("does not wait for ever for a server that is silent", async () => {
    const waiting = collection(silent).whenSynced(new AbortController().signal);

    await expect(waiting).rejects.toMatchObject({ status: 0, message: expect.stringContaining("/api/v1/secrets") });
  }, 10_000);

  it("ends with the signal's reason", async () => {
    const stop = new AbortController();
    const waiting = collection(silent).whenSynced(stop.signal);
    stop.abort(new Error("stopping"));

    await expect(waiting).rejects.toThrow("stopping");
  });
});
