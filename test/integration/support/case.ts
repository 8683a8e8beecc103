// How does a case get its shop in the shared clusters that carry the operator?
import { inject, onTestFinished } from "vitest";
import { readEnv } from "../../../hack/clusters/index.js";
import { Shop } from "./shop.js";

/** A shop of its own for one test, closed when the test ends. */
export async function openShop(name: string): Promise<Shop> {
  const shop = await Shop.open(readEnv(inject("clusters")), name);
  onTestFinished(() => shop.close());
  return shop;
}
