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

  it.each`
    given                                           | served       | complete | left
    ${"it serves the kind"}                         | ${[SECRETS]} | ${true}  | ${1}
    ${"it has certainly ceased to serve the kind"}  | ${[]}        | ${true}  | ${0}
    ${"it does not answer for all of its APIs now"} | ${[]}        | ${false} | ${1}
  `("watches $left kind(s) when $given", async ({ served, complete, left }) => {
    const members = new Members({ client: () => ({}), log });
    const member = await members.connect("east", { server: "http://127.0.0.1:1" }, "first");
    member.objects(SECRETS);
    const resources = (served as (typeof SECRETS)[]).map(r => ({ ...r, verbs: [], subresources: [] }));
    member.discovery.take({ resources, complete: complete as boolean });

    await member.dropUnserved();

    expect([...member.watched()]).toHaveLength(left as number);
    await members.close();
  });
});
