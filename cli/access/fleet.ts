// How does a command reach the host and all members at once, when some of them may not answer?
import { InvalidArgumentError, type Command } from "commander";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { Discovery } from "../../lib/kube/discovery.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { Access } from "../clients.js";
import { joinedClusters, unreachable } from "../identity.js";
import { EXIT, Problem } from "../problem.js";
import { hostOptions, openHost, timeoutOption, type HostFlags } from "./host.js";
import { once } from "./once.js";
import { openMember, type MemberAccess } from "./member.js";

/** Flags of a command that looks at host and members. */
export interface FleetFlags extends HostFlags {
  /** Only these members. */
  readonly clusters?: readonly string[];
}

/** The host, what it serves, and the members that are meant. `close()` when done. */
export interface Fleet {
  readonly host: Access;
  /** Asked already. */
  readonly discovery: Discovery;
  /** Every Cluster of the host, by name. */
  readonly all: readonly Cluster[];
  /** Those that `-C` names, or all of them; by name. */
  readonly clusters: readonly Cluster[];
  /** The way into one member: opened once, its kinds asked; tried again where that failed. @throws Error that says why there is none */
  member(cluster: Cluster): Promise<MemberAccess>;
  close(): Promise<void>;
}

/** What came of one member: an answer, or the reason why there is none. */
export type Visit<T> =
  | { readonly cluster: string; readonly answer: T }
  | { readonly cluster: string; readonly why: string; readonly error: unknown };

/** Adds the flags that `openFleet` reads. */
export function fleetOptions(command: Command): Command {
  return timeoutOption(hostOptions(command)).option("-C, --clusters <names>", "only these members, with commas", names);
}

function names(text: string, before: readonly string[] = []): readonly string[] {
  const given = text.split(",").map(part => part.trim());
  if (given.includes("")) throw new InvalidArgumentError("write names of clusters with commas between, such as m1,m2");
  return [...new Set([...before, ...given])];
}

/** Opens the host and reads what it serves and which members it has. @throws Problem */
export async function openFleet(flags: FleetFlags): Promise<Fleet> {
  const host = await openHost(flags);
  try {
    const discovery = new Discovery(host.client);
    const [all] = await Promise.all([clustersOf(host.client), served(discovery, host.connection.server)]);
    const clusters = chosen(all, flags.clusters);
    return { host, discovery, all, clusters, ...membersOf(host, flags.requestTimeout) };
  } catch (error) {
    await host.client.close();
    throw error;
  }
}

async function clustersOf(host: KubeClient): Promise<readonly Cluster[]> {
  const clusters = await joinedClusters(host);
  return [...clusters].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

async function served(discovery: Discovery, server: string): Promise<void> {
  await discovery.refresh().catch((error: unknown) => {
    throw unreachable(error, "the host", server);
  });
}

function chosen(all: readonly Cluster[], wanted: readonly string[] | undefined): readonly Cluster[] {
  refuseUnknown(all, wanted);
  return wanted ? all.filter(({ metadata }) => wanted.includes(metadata.name)) : all;
}

/** @throws Problem for a name that no Cluster has */
export function refuseUnknown(all: readonly Cluster[], wanted: readonly string[] = []): void {
  const known = all.map(({ metadata }) => metadata.name);
  const unknown = wanted.filter(name => !known.includes(name));
  if (unknown.length === 0) return;
  const hint = `the members are: ${known.join(", ") || "<none>"}`;
  throw new Problem(`there is no cluster ${unknown.join(", ")} on the host`, hint, EXIT.usage);
}

function membersOf(host: Access, timeoutMs: number | undefined): Pick<Fleet, "member" | "close"> {
  const ways = once<Cluster, MemberAccess>(
    ({ metadata }) => metadata.name,
    cluster => openMember(host.client, cluster, timeoutMs),
  );
  return {
    member: ways.get,
    async close() {
      const clients = (await ways.all()).map(({ client }) => client);
      await Promise.all([...clients, host.client].map(client => client.close()));
    },
  };
}

/** Does the same in every member at the same time. One that fails is told of, and keeps no other waiting. */
export function visitMembers<T>(
  { clusters, member }: Pick<Fleet, "clusters" | "member">,
  visit: (member: MemberAccess) => Promise<T>,
): Promise<readonly Visit<T>[]> {
  return Promise.all(
    clusters.map(async (cluster): Promise<Visit<T>> => {
      const { name } = cluster.metadata;
      try {
        return { cluster: name, answer: await visit(await member(cluster)) };
      } catch (error) {
        return { cluster: name, why: messageOf(error), error };
      }
    }),
  );
}

/** Runs a command on a fleet and closes it, however that ends. */
export async function withFleet<T>(flags: FleetFlags, run: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = await openFleet(flags);
  try {
    return await run(fleet);
  } finally {
    await fleet.close();
  }
}
