// Which API servers do the flags of a command name?
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { KubeClient } from "../lib/kube/client.js";
import { connectionOf, type Connection } from "../lib/kube/connection.js";
import { EXIT, Problem } from "./problem.js";

/** One way into a cluster, as flags give it. */
export interface AccessFlags {
  /** Path of a kubeconfig; without it KUBECONFIG, then ~/.kube/config, as kubectl does. */
  readonly file?: string;
  readonly context?: string;
  /** The flag that names the file, for messages. */
  readonly flag: string;
  /** How long an answer may take, milliseconds; 10 s when absent. */
  readonly timeoutMs?: number;
}

/** An open way into a cluster. `close()` when done. */
export interface Access {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** The context that was taken. */
  readonly context: string;
  /** The namespace that this context names. */
  readonly namespace: string;
}

const TIMEOUT_MS = 10_000;

/** Reads the kubeconfig and makes a client; sends nothing yet. @throws Problem */
export async function open({ file, context, flag, timeoutMs = TIMEOUT_MS }: AccessFlags): Promise<Access> {
  const config = load(file, flag);
  if (context !== undefined) select(config, context, file ?? "the kubeconfig");
  if (!config.getCurrentCluster()) {
    throw new Problem(
      `${file ?? "kubeconfig"}: the current context names no cluster`,
      `give a kubeconfig with ${flag}, or choose one of its contexts`,
      EXIT.usage,
    );
  }
  const connection = await readable(connectionOf(config), `${flag} ${file ?? ""}`);
  const client = new KubeClient(connection, { connections: 4, timeoutMs });
  const taken = config.getCurrentContext();
  const namespace = config.getContextObject(taken)?.namespace || "default";
  return { client, connection, context: taken, namespace };
}

/** The names of all contexts in a kubeconfig: of the one that kubectl would take when `file` is absent. @throws Problem */
export function contextsOf(file: string | undefined, flag: string): readonly string[] {
  return load(file, flag)
    .getContexts()
    .map(({ name }) => name);
}

/** client-node would take an API server on this machine's port 8080 for what nobody has named. */
function loadDefault(config: KubeConfig, flag: string): void {
  const places = process.env["KUBECONFIG"]?.split(delimiter).filter(Boolean) ?? [join(homedir(), ".kube", "config")];
  if (!places.some(place => existsSync(place))) {
    throw new Problem(`no kubeconfig: ${places.join(", ")} is not there`, `name one with ${flag}`, EXIT.usage);
  }
  config.loadFromDefault();
}

async function readable<T>(work: Promise<T>, where: string): Promise<T> {
  return work.catch((error: unknown) => {
    const words = error instanceof Error ? error.message : String(error);
    throw new Problem(`${where.trim()}: ${words}`, "correct the kubeconfig", EXIT.usage, { cause: error });
  });
}

function load(file: string | undefined, flag: string): KubeConfig {
  const config = new KubeConfig();
  if (file !== undefined && !existsSync(file)) {
    throw new Problem(`${flag} ${file}: there is no such file`, "give the path of a kubeconfig", EXIT.usage);
  }
  try {
    if (file === undefined) loadDefault(config, flag);
    else config.loadFromFile(file);
    return config;
  } catch (error) {
    if (error instanceof Problem) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new Problem(
      `${flag} ${file ?? ""}: not a kubeconfig: ${words}`,
      "give the path of a kubeconfig",
      EXIT.usage,
      {
        cause: error,
      },
    );
  }
}

function select(config: KubeConfig, context: string, where: string): void {
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context)) {
    throw new Problem(
      `${where}: no context ${context}`,
      `its contexts are: ${names.join(", ") || "<none>"}`,
      EXIT.usage,
    );
  }
  config.setCurrentContext(context);
}
