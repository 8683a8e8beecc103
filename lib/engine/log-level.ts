// Who may say while the operator runs how much it logs? Whoever writes ConfigMap holdfast-log-level in its namespace.
//
// A ConfigMap and not a signal: it reaches every pod of both Deployments at once, needs no shell in an image that has none, and
// passes the API server's own RBAC and audit.
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../kube/client.js";
import { Collection } from "../kube/collection.js";
import { CONFIG_MAPS } from "../kube/kinds.js";
import { systemClock, type Clock, type Timer } from "./clock.js";
import { LOG_LEVELS, type Logger, type LogLevel } from "./log.js";
import type { Runnable } from "./runnable.js";

/** The ConfigMap's name. Its data: `level`, and `until` as RFC 3339 where the word is for a while only. */
export const LOG_LEVEL_CONFIG_MAP = "holdfast-log-level";

/** Where the word is looked for, and what to do with it. */
export interface LogLevelOptions {
  readonly namespace: string;
  /** What counts where nobody has said anything else: LOG_LEVEL. */
  readonly configured: LogLevel;
  readonly setLevel: (level: LogLevel) => void;
}

/** A level, and for how many more milliseconds it counts; absent: until somebody says otherwise. */
export interface SpokenLevel {
  readonly level: LogLevel;
  readonly forMs?: number;
  /** What in the ConfigMap is not understood, with what to write. */
  readonly problem?: string;
}

/** Pure. `now` in milliseconds since 1970. */
export function spokenLevel(map: KubeObject | undefined, configured: LogLevel, now: number): SpokenLevel {
  if (!map) return { level: configured };
  const { level, until } = (map["data"] ?? {}) as Readonly<Record<string, string>>;
  const known = LOG_LEVELS.find(one => one === level);
  if (!known) return { level: configured, problem: `data.level: write one of ${LOG_LEVELS.join(", ")}` };
  if (until === undefined) return { level: known };
  const forMs = Date.parse(until) - now;
  if (Number.isNaN(forMs))
    return { level: configured, problem: "data.until: write a time such as 2026-01-31T12:00:00Z" };
  return forMs > 0 ? { level: known, forMs } : { level: configured };
}

/** Watches the one ConfigMap; what nobody can read changes nothing. */
export function followLogLevel(
  client: KubeClient,
  { namespace, configured, setLevel }: LogLevelOptions,
  log: Logger,
  clock: Clock = systemClock,
): Runnable {
  const query = { fieldSelector: `metadata.name=${LOG_LEVEL_CONFIG_MAP}` };
  const maps = new Collection(client, CONFIG_MAPS, { reflector: { query, namespace, log } });
  let current = configured;
  let timer: Timer | undefined;

  function heed(): void {
    timer?.cancel();
    const map = maps.find({ namespace, name: LOG_LEVEL_CONFIG_MAP });
    const { level, forMs, problem } = spokenLevel(map, configured, Date.now());
    if (problem !== undefined) log.warn("log level not understood", { configMap: LOG_LEVEL_CONFIG_MAP, problem });
    if (forMs !== undefined) timer = clock.after(forMs, heed);
    if (level === current) return;
    current = level;
    setLevel(level);
    // At warn and above nobody would see it, and then nobody asks.
    log.info("log level changed", { logLevel: level, until: forMs === undefined ? undefined : endIn(forMs) });
  }

  return {
    start() {
      maps.subscribe(heed);
      maps.start();
    },
    async stop() {
      timer?.cancel();
      await maps.stop();
    },
  };
}

function endIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
