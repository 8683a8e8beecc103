// What do tests of join and unjoin work with?
import { Problem } from "../../../cli/problem.js";
import { administrator, clientFor } from "./engine.js";
import { collected } from "./federation.js";

/** What both commands work with, through the clusters' own addresses. */
export async function bothSides(member = "member1") {
  const client = await clientFor(member);
  const host = await clientFor("host");
  return { host, client, member: { client, connection: await administrator(member) }, output: collected() };
}

/** The Problem that ends a command. @throws when it ends well, or in another way. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error: unknown = await work.then(
    () => new Error("it went well"),
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw error;
}
