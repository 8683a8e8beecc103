// Is what became of an object in a cluster that leaves called by its right name?
import { describe, expect, it } from "vitest";
import type { Member } from "../../lib/kube/member.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Item } from "./inventory.js";
import { judge, takeStock, type Seen } from "./stocktaking.js";

const web: Item = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", mark: "id-of-web" };
const marked = { "work.karmada.io/permanent-id": "id-of-web" };
const othersMark = { "work.karmada.io/permanent-id": "id-of-somebody" };
const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };

describe("judge", () => {
  it.each`
    seen                                         | outcome      | sentence
    ${undefined}                                 | ${"deleted"} | ${"calls what is gone deleted"}
    ${{ name: "web" }}                           | ${"kept"}    | ${"calls what bears no mark kept"}
    ${{ name: "web", labels: othersMark }}       | ${"kept"}    | ${"calls what another one marks kept"}
    ${{ name: "web", labels: marked }}           | ${"left"}    | ${"calls what still bears our mark left behind"}
    ${{ name: "web", labels: marked, ...going }} | ${"deleted"} | ${"calls what is on its way out deleted"}
  `("$sentence", ({ seen, outcome }: { seen: Seen | undefined; outcome: string }) => {
    expect(judge(web, seen)?.outcome).toBe(outcome);
  });

  it("does not call deleted what only might have been there", () => {
    expect(judge({ ...web, doubtful: true }, undefined)).toBeUndefined();
    expect(judge({ ...web, doubtful: true }, { name: "web", labels: marked })?.outcome).toBe("left");
  });

  it("names what still holds an object that is being deleted", () => {
    expect(judge(web, { name: "web", ...going, finalizers: ["team.example/hold"] })?.why).toContain(
      "team.example/hold",
    );
  });
});

describe("takeStock", () => {
  /** A cluster that serves Deployments, or not, and answers so. */
  function cluster(answer: (path: string) => Promise<unknown>, served = true, complete = true) {
    const resource = { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true };
    const asked: string[] = [];
    const member = {
      discovery: { find: () => (served ? resource : undefined), served: { complete, resources: [] } },
      client: {
        request(_method: string, path: string) {
          asked.push(path);
          return answer(path);
        },
      },
    } as unknown as Member;
    return { member, asked };
  }

  const many = Array.from({ length: 9 }, (_, i): Item => ({ ...web, name: `web${i}` }));

  it("asks for few one by one, and for many at once", async () => {
    const few = cluster(path => Promise.resolve({ metadata: { name: path.slice(-3) } }));
    const list = cluster(() => Promise.resolve({ items: [{ metadata: { name: "web0" } }], metadata: {} }));

    expect(await takeStock(few.member, [web])).toMatchObject([{ outcome: "kept", name: "web" }]);
    expect((await takeStock(list.member, many)).map(({ outcome }) => outcome)).toEqual([
      "kept",
      ...Array(8).fill("deleted"),
    ]);
    expect(list.asked).toEqual(["/apis/apps/v1/namespaces/shop/deployments"]);
  });

  it.each`
    status | outcome      | sentence
    ${404} | ${"deleted"} | ${"takes not found for gone"}
    ${403} | ${"left"}    | ${"does not take a refusal for an answer"}
    ${0}   | ${"left"}    | ${"does not take silence for an answer"}
  `("$sentence", async ({ status, outcome }: { status: number; outcome: string }) => {
    const { member } = cluster(() => Promise.reject(new KubeError(status, "", "no")));

    expect(await takeStock(member, [web])).toMatchObject([{ outcome }]);
  });

  it("takes a kind that is certainly not served for gone, and one that may be for unknown", async () => {
    const silence = () => Promise.reject(new Error("never asked"));

    expect(await takeStock(cluster(silence, false).member, [web])).toMatchObject([{ outcome: "deleted" }]);
    expect(await takeStock(cluster(silence, false, false).member, [web])).toMatchObject([{ outcome: "left" }]);
  });
});
