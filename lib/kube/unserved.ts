// Which watched kinds has a cluster ceased to serve?
import type { Collection } from "./collection.js";
import type { Discovery } from "./discovery.js";
import { apiVersionOf } from "./resource.js";

/**
 * Stops and takes out the collections of kinds that are certainly served no more: their watches would ask for ever. A
 * cluster that does not answer for all of its APIs has ceased to serve nothing.
 */
export async function dropUnserved(collections: Map<string, Collection>, discovery: Discovery): Promise<void> {
  if (!discovery.served.complete) return;
  const gone = [...collections].filter(([, { resource }]) => !discovery.find(apiVersionOf(resource), resource.kind));
  for (const [id] of gone) collections.delete(id);
  await Promise.all(gone.map(([, collection]) => collection.stop()));
}
