// Which names are there on the host, for the shell's completion? What cannot be read in a moment is not offered.
import { Discovery, type ServedResource } from "../../lib/kube/discovery.js";
import { CLUSTERS, NAMESPACES } from "../../lib/kube/kinds.js";
import { collectionPath, type ApiResource } from "../../lib/kube/resource.js";
import { contextsOf, open, type Access } from "../clients.js";
import { findKind } from "../target/kinds.js";
import type { Names } from "./candidates.js";
import { METADATA_ONLY } from "../../lib/kube/metadata-only.js";
import type { Line } from "./line.js";

/** A person waits with a finger on the key. */
const TIMEOUT_MS = 3_000;
/** More than anybody reads. */
const LIMIT = 500;
/** Names without what is called so. */

interface MetadataList {
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
}

/** Names of the host that the flags on the line mean. */
export function liveNames(): Names {
  return {
    kinds: line => quietly(line, async ({ client }) => kindNames(await served(client))),
    objects: (line, kind) =>
      quietly(line, async host => {
        const resource = findKind(await served(host.client), kind);
        const namespace = textOf(line, "--namespace") ?? host.namespace;
        return resource ? namesOf(host, resource, line.flags.has("--all-namespaces") ? undefined : namespace) : [];
      }),
    clusters: line => quietly(line, host => namesOf(host, CLUSTERS)),
    namespaces: line => quietly(line, host => namesOf(host, NAMESPACES)),
    contexts: line => Promise.resolve(contextNames(line)),
  };
}

/** Plurals; where an earlier kind has the same, with the group. */
export function kindNames(resources: readonly ServedResource[]): string[] {
  const groups = new Map<string, string>();
  const names = resources
    .filter(({ verbs }) => verbs.includes("list") && verbs.includes("get"))
    .map(({ plural, group }) => {
      const first = groups.get(plural) ?? group;
      groups.set(plural, first);
      return first === group ? plural : `${plural}.${group}`;
    });
  return [...new Set(names)].sort();
}

async function served(client: Access["client"]): Promise<readonly ServedResource[]> {
  const discovery = new Discovery(client);
  await discovery.refresh();
  return discovery.served.resources;
}

async function namesOf({ client }: Access, resource: ApiResource, namespace?: string): Promise<string[]> {
  const path = collectionPath(resource, namespace);
  const list = await client.request<MetadataList>("GET", path, { accept: METADATA_ONLY, query: { limit: LIMIT } });
  return (list.items ?? []).map(({ metadata }) => metadata.name);
}

function contextNames(line: Line): readonly string[] {
  try {
    return contextsOf(textOf(line, "--kubeconfig"), "--kubeconfig");
  } catch {
    return [];
  }
}

async function quietly(line: Line, read: (host: Access) => Promise<string[]>): Promise<readonly string[]> {
  try {
    const context = textOf(line, "--karmada-context") ?? textOf(line, "--context");
    const file = textOf(line, "--kubeconfig");
    const host = await open({ file, context, flag: "--kubeconfig", timeoutMs: TIMEOUT_MS });
    try {
      return await read(host);
    } finally {
      await host.client.close();
    }
  } catch {
    return [];
  }
}

function textOf({ flags }: Line, name: string): string | undefined {
  const value = flags.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
