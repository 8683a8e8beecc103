// Does a member that has been disconnected stay so?
import { describe, expect, it } from "vitest";
import { isUnreachable } from "./errors.js";
import { SECRETS } from "./kinds.js";
import { Members } from "./member.js";

const log = { debug() {}, warn() {} };

describe("Member", () => {
  it("begins no watch once it has been disconnected", async () => {
    const members = new Members({ client: () => ({}), log });
    const member = await members.connect("east", { server: "http://127.0.0.1:1" }, "first");
    await members.disconnect("east");

    const late = (): unknown => member.objects(SECRETS);

    expect(late).toThrow("cluster east has been disconnected");
    expect([...member.watched()]).toEqual([]);
  });

  it("counts as out of reach for whoever was still at work on it", async () => {
    const members = new Members({ client: () => ({}), log });
    const member = await members.connect("east", { server: "http://127.0.0.1:1" }, "first");
    await members.connect("east", { server: "http://127.0.0.1:2" }, "second");
    let error: unknown;
    try {
      member.objects(SECRETS);
    } catch (caught) {
      error = caught;
    }

    expect(isUnreachable(error)).toBe(true);
    await members.close();
  });
});
