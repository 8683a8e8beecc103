// Does an HTTP answer become the right object or the right error?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf, parseBody, refusalOf } from "./answer.js";
import { isConflict, isExpired, isFinal, isNotFound, isUnreachable, KubeError, kubeErrorIn } from "./errors.js";

async function* chunksOf(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const end of [...ends.map(e => e % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, end);
    from = Math.max(from, end);
  }
}

async function collect(bytes: Uint8Array, ends: readonly number[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const line of linesOf(chunksOf(bytes, ends))) found.push(line);
  return found;
}

describe("linesOf", () => {
  it("gives the same objects wherever the pieces end, within letters too", async () => {
    const objects = fc.array(fc.record({ a: fc.string({ unit: "binary" }), b: fc.jsonValue() }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(objects, fc.array(fc.nat(5_000), { maxLength: 20 }), async (list, ends) => {
        const text = list.map(o => `${JSON.stringify(o)}\n`).join("");

        const found = await collect(Buffer.from(text), ends);

        expect(found).toEqual(list.map(o => JSON.parse(JSON.stringify(o)) as unknown));
      }),
    );
  });

  it("drops what was cut off before its end", async () => {
    expect(await collect(Buffer.from('{"a":1}\n{"a":2'), [])).toEqual([{ a: 1 }]);
  });
});

describe("parseBody", () => {
  it.each`
    text         | body
    ${'{"a":1}'} | ${{ a: 1 }}
    ${"[1]"}     | ${[1]}
    ${"ok"}      | ${"ok"}
    ${""}        | ${""}
  `("reads $text", ({ text, body }: { text: string; body: unknown }) => {
    expect(parseBody(text, "GET /")).toEqual(body);
  });

  it("names the request when an answer was cut off", () => {
    expect(() => parseBody('{"a":', "GET /x")).toThrow(/^GET \/x: the answer is not JSON/);
  });
});

describe("refusalOf", () => {
  const refuse = (statusCode: number, text: string, headers = {}) => refusalOf({ statusCode, headers }, text, "GET /x");

  it("takes reason and words from the Status object", () => {
    const text = JSON.stringify({ kind: "Status", reason: "Conflict", message: "it changed" });

    expect(refuse(409, text)).toMatchObject({ status: 409, reason: "Conflict", message: "it changed" });
  });

  it.each`
    what                        | text                  | message
    ${"a gateway's page"}       | ${"<html>bad</html>"} | ${"<html>bad</html>"}
    ${"nothing"}                | ${""}                 | ${"GET /x: HTTP 502"}
    ${"JSON that was cut off"}  | ${'{"kind":"Sta'}     | ${'{"kind":"Sta'}
    ${"JSON without a message"} | ${"null"}             | ${"null"}
  `("makes do with $what", ({ text, message }: { text: string; message: string }) => {
    expect(refuse(502, text)).toMatchObject({ status: 502, reason: "", message });
  });

  it("reads Retry-After in seconds and as a date", () => {
    const date = new Date(Date.now() + 60_000).toUTCString();

    expect(refuse(429, "", { "retry-after": "7" }).retryAfterMs).toBe(7_000);
    expect(refuse(503, "", { "retry-after": date }).retryAfterMs).toBeGreaterThan(50_000);
    expect(refuse(503, "", { "retry-after": "soon" }).retryAfterMs).toBeUndefined();
    expect(refuse(503, "").retryAfterMs).toBeUndefined();
  });
});

describe("what an error means", () => {
  const schema =
    "failed to create typed patch object (ns/a; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema";
  it.each`
    status | message      | is
    ${0}   | ${"refused"} | ${"unreachable"}
    ${404} | ${""}        | ${"not found"}
    ${409} | ${""}        | ${"conflict"}
    ${410} | ${""}        | ${"expired"}
    ${400} | ${""}        | ${"final"}
    ${413} | ${""}        | ${"final"}
    ${422} | ${""}        | ${"final"}
    ${500} | ${schema}    | ${"final"}
    ${500} | ${"oops"}    | ${""}
    ${429} | ${""}        | ${""}
    ${403} | ${""}        | ${""}
  `("$status $message: $is", ({ status, message, is }: { status: number; message: string; is: string }) => {
    const error = new KubeError(status, "", message);
    const checks = { unreachable: isUnreachable, "not found": isNotFound, conflict: isConflict, expired: isExpired };
    const found = Object.entries({ ...checks, final: isFinal }).filter(([, check]) => check(error));

    expect(found.map(([name]) => name).join()).toBe(is);
  });

  it("says nothing about an object when the error is about another one", () => {
    const wrapped = new Error("reading the secret", { cause: new KubeError(404, "NotFound", "no such secret") });

    expect(isNotFound(wrapped)).toBe(false);
    expect(kubeErrorIn(wrapped)).toMatchObject({ status: 404 });
    expect(kubeErrorIn(new Error("x"))).toBeUndefined();
  });
});
