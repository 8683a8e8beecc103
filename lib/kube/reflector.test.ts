// Does the reflector start over when its revision is refused, and never ask in a tight loop?
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { KubeClient, type RequestOptions } from "./client.js";
import { KubeError } from "./errors.js";
import { Reflector } from "./reflector.js";
import { ResourceClient } from "./resource.js";
import { Store } from "./store.js";

const CONFIG_MAPS = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };

/** An API server that holds one object under a rising revision, and answers watches as it is told. */
class FakeServer extends KubeClient {
  lists = 0;
  readonly watchedFrom: unknown[] = [];

  constructor(readonly onWatch: (count: number, signal: AbortSignal) => AsyncGenerator<unknown>) {
    super({ server: "https://127.0.0.1:1" });
  }

  override request<T>(): Promise<T> {
    this.lists++;
    const metadata = { name: "a", uid: "u", resourceVersion: String(100 + this.lists) };
    const list = { items: [{ metadata }], metadata: { resourceVersion: String(100 + this.lists) } };
    return Promise.resolve(list as T);
  }

  override stream<T>(_path: string, options: RequestOptions): AsyncGenerator<T> {
    this.watchedFrom.push(options.query?.["resourceVersion"]);
    return this.onWatch(this.watchedFrom.length, options.signal ?? new AbortController().signal) as AsyncGenerator<T>;
  }
}

async function* quiet(signal: AbortSignal): AsyncGenerator<unknown> {
  await new Promise<void>(resolve => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}

async function* refused(status: number): AsyncGenerator<unknown> {
  throw new KubeError(status, "", "refused");
}

async function* errorEvent(code: number): AsyncGenerator<unknown> {
  yield { type: "ERROR", object: { kind: "Status", code, message: "too old" } };
}

function start(server: FakeServer) {
  const store = new Store<KubeObject>();
  const log = { debug: vi.fn(), warn: vi.fn() };
  const reflector = new Reflector(new ResourceClient(server, CONFIG_MAPS), store, { log });
  onTestFinished(() => reflector.stop());
  reflector.start();
  return { store, log, reflector };
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

describe("a revision that is refused", () => {
  it.each`
    how                               | first                    | silent
    ${"the answer 410"}               | ${() => refused(410)}    | ${true}
    ${"an ERROR event with 410"}      | ${() => errorEvent(410)} | ${true}
    ${"an ERROR event with any code"} | ${() => errorEvent(500)} | ${false}
  `("by $how is never used again", async ({ first, silent }: { first: () => AsyncGenerator; silent: boolean }) => {
    const server = new FakeServer((count, signal) => (count === 1 ? first() : quiet(signal)));
    const { store, log } = start(server);

    await vi.waitFor(() => expect(server.watchedFrom).toHaveLength(2));

    expect(server.watchedFrom).toEqual(["101", "102"]);
    expect(store.get("a")?.metadata.resourceVersion).toBe("102");
    expect(log.warn).toHaveBeenCalledTimes(silent ? 0 : 1);
  });

  it("keeps its revision when the watch was only cut", async () => {
    const server = new FakeServer((count, signal) => (count === 1 ? refused(0) : quiet(signal)));
    start(server);

    await vi.waitFor(() => expect(server.watchedFrom).toHaveLength(2));

    expect([server.lists, server.watchedFrom]).toEqual([1, ["101", "101"]]);
  });
});

describe("a server that is no help", () => {
  it.each`
    what                                 | answer
    ${"refuses every revision"}          | ${() => refused(410)}
    ${"refuses every revision by event"} | ${() => errorEvent(410)}
    ${"ends every watch at once"}        | ${async function* () {}}
    ${"refuses every watch"}             | ${() => refused(403)}
  `("which $what, is not asked in a tight loop", async ({ answer }: { answer: () => AsyncGenerator }) => {
    const server = new FakeServer(answer);
    const { reflector } = start(server);

    await pause(1_000);
    await reflector.stop();

    expect(server.watchedFrom.length).toBeGreaterThan(1);
    expect(server.watchedFrom.length).toBeLessThan(20);
  });
});
