// What becomes of the copies when policy and template are deleted together, in any order?
import { describe, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";

const ORDERS = ["policy first", "template first", "at once"] as const;

describe("policy and template deleted together", () => {
  for (const preserve of [true, undefined]) {
    it.concurrent.each(ORDERS)(`${preserve ? "keeps" : "deletes"} the copies: %s`, async order => {
      const shop = await openShop("both");
      const before = await shop.settle({ preserve });

      const both = order === "template first" ? [shop.web, shop.policy] : [shop.policy, shop.web];
      if (order === "at once") await Promise.all(both.map(target => shop.host.delete(target)));
      else for (const target of both) await shop.host.delete(target);

      await shop.gone();
      await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
      if (preserve) await shop.released(before);
      else await shop.deletedIn("member1", "member2");
    });
  }

  it.concurrent("keeps them, and the members' namespaces, when the whole namespace goes", async () => {
    const shop = await openShop("both-ns");
    const before = await shop.settle({ preserve: true });

    await shop.host.delete({ kind: "Namespace", name: shop.namespace });

    const namespace = { kind: "Namespace", name: shop.namespace };
    await eventually("the host's namespace is gone", async () => !(await shop.host.find(namespace)), 90_000);
    await shop.gone();
    await shop.released(before);
    for (const member of Object.values(shop.members)) {
      await eventually("the member's namespace is nobody's any more", async () => {
        const live = await member.find(namespace);
        if (!live || live.metadata.deletionTimestamp) throw new Error(`${member.name}: the namespace is GOING`);
        return live.metadata.labels?.["karmada.io/managed"] === undefined;
      });
    }
    await shop.released(before);
  });

  it.concurrent(
    "takes them, and the namespaces made for them, when the whole namespace goes and nothing says keep",
    async () => {
      const shop = await openShop("both-nd");
      await shop.settle();
      const namespace = { kind: "Namespace", name: shop.namespace };

      await shop.host.delete(namespace);

      await eventually("the host's namespace is gone", async () => !(await shop.host.find(namespace)), 90_000);
      await shop.deletedIn("member1", "member2");
      for (const member of Object.values(shop.members)) {
        await eventually("the member's namespace is gone", async () => !(await member.find(namespace)), 60_000);
      }
    },
  );
});
