// What does `kubectl delete --cascade=orphan` do to the copies? It keeps them, on all clusters alike. (case 22)
import { describe, it } from "vitest";
import { openShop } from "../support/case.js";
import { eventually } from "../support/eventually.js";

describe("a template deleted with --cascade=orphan", () => {
  it.concurrent("lets go of all copies and leaves nothing that would make the app again", async () => {
    const shop = await openShop("c22");
    const before = await shop.settle();

    await shop.host.delete(shop.web, { propagation: "Orphan" });

    await shop.gone();
    await shop.released(before);
  });

  it.concurrent("is an ordinary deletion with --cascade=foreground", async () => {
    const shop = await openShop("c22f");
    await shop.settle();

    await shop.host.delete(shop.web, { propagation: "Foreground" });

    await shop.deletedIn("member1", "member2");
    await shop.gone();
  });

  it.concurrent("leaves the policy deletable", async () => {
    const shop = await openShop("c22p");
    const before = await shop.settle();

    await shop.host.delete(shop.web, { propagation: "Orphan" });
    await shop.host.delete(shop.policy);

    await eventually("the policy is gone", async () => !(await shop.host.find(shop.policy)));
    await shop.gone();
    await shop.released(before);
  });
});
