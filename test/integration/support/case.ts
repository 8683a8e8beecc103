// How does a case get its shop in the shared clusters that carry the operator?
import { afterAll, inject } from "vitest";
import { readEnv } from "../../../hack/clusters/state.js";
import { Shop } from "./shop.js";

const shops: Shop[] = [];

// Not `onTestFinished`: among concurrent tests it does not know whose it is.
afterAll(() => Promise.all(shops.splice(0).map(shop => shop.close())));

/** A shop of its own for one test, closed when all tests of the file have ended. */
export async function openShop(name: string): Promise<Shop> {
  const shop = await Shop.open(readEnv(inject("clusters")), name);
  shops.push(shop);
  return shop;
}
