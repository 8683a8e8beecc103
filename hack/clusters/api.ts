// How does a script ask an API server as its administrator?
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";

/** An API server and the directory with its `ca.crt`, `admin.crt` and `admin.key`. */
export interface Administrator {
  readonly server: string;
  readonly dir: string;
}

/** What came back; `body` is the parsed JSON, or the text where it is none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const TIMEOUT_MS = 10_000;

/**
 * One request. It stands apart from the product's own client, so that what brings up the tests is not what they test.
 * @throws Error when there is no answer within 10 s; a refusal is an answer.
 */
export function ask({ server, dir }: Administrator, method: string, path: string, body?: unknown): Promise<Answer> {
  const read = (name: string): Buffer => readFileSync(join(dir, name));
  const identity = { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
  const headers = { accept: "application/json", "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, timeout: TIMEOUT_MS, ...identity };
    const call = request(`${server}${path}`, options, response => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
      response.on("error", reject);
    });
    call.on("timeout", () =>
      call.destroy(new Error(`${method} ${server}${path}: no answer in ${TIMEOUT_MS / 1000} s`)),
    );
    call.on("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
