// Which flags name the host, and the part of it that is meant?
import { Option, type Command } from "commander";
import { open, type Access } from "../clients.js";
import { parseDuration } from "../duration.js";

/** Flags of every command that talks to the host. */
export interface HostFlags {
  readonly kubeconfig?: string;
  readonly karmadaContext?: string;
  readonly context?: string;
  /** Milliseconds. */
  readonly requestTimeout?: number;
}

/** Flags that say which namespace is meant. */
export interface NamespaceFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
}

/** Adds the flags that name the host. */
export function hostOptions(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "kubeconfig of the host (default: $KUBECONFIG, then ~/.kube/config)")
    .option("--karmada-context <name>", "context of the host in it")
    .addOption(new Option("--context <name>", "same as --karmada-context").conflicts("karmadaContext"));
}

/** Adds `--request-timeout`. */
export function timeoutOption(command: Command): Command {
  const option = new Option("--request-timeout <duration>", "how long one answer may take");
  return command.addOption(option.argParser(parseDuration).default(10_000, "10s"));
}

/** `--timeout`: how long nothing may move, milliseconds; `text` is the default as a person writes it. */
export function stillOption(ms: number, text: string): Option {
  const option = new Option("--timeout <duration>", "give up when nothing moves for so long");
  return option.argParser(parseDuration).default(ms, text);
}

/** Adds `-n` and, where all of them can be meant, `-A`. */
export function namespaceOptions(command: Command, { all = false }: { readonly all?: boolean } = {}): Command {
  command.option("-n, --namespace <name>", "namespace (default: that of the context)");
  if (!all) return command;
  return command.addOption(new Option("-A, --all-namespaces", "in all namespaces").conflicts("namespace"));
}

/** Opens the host; sends nothing yet. @throws Problem */
export function openHost({ kubeconfig, karmadaContext, context, requestTimeout }: HostFlags): Promise<Access> {
  const timeoutMs = requestTimeout;
  return open({ file: kubeconfig, context: karmadaContext ?? context, flag: "--kubeconfig", timeoutMs });
}

/** The namespace that is meant; `undefined`: all of them. */
export function namespaceOf(
  { namespace, allNamespaces }: NamespaceFlags,
  host: Pick<Access, "namespace">,
): string | undefined {
  return allNamespaces ? undefined : (namespace ?? host.namespace);
}
