// One stream of JSON lines with pino's keys (`level`, `time`, `msg`), so that Pepr's lines and ours read as one.
import winston from "winston";

/** Static message, data as fields. Never object bodies, never Secrets. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  child(fields: Record<string, unknown>): Logger;
}

const PINO_LEVELS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

const line = winston.format.printf(({ level, message, ...fields }) =>
  JSON.stringify({ level: PINO_LEVELS[level] ?? 30, time: Date.now(), msg: message, ...fields }),
);

/** The names of the levels, the one that tells most first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
/** The least level that is written. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger whose level can be changed while it runs, for all its children too. */
export interface RootLogger extends Logger {
  setLevel(level: LogLevel): void;
}

/** Shared by a logger and its children. */
interface Threshold {
  least: number;
}

/** The process's logger. */
export function createLogger(level: LogLevel): RootLogger {
  const root = winston.createLogger({ level: "debug", format: line, transports: [new winston.transports.Console()] });
  const threshold = { least: leastOf(level) };
  return { ...wrap(root, threshold, {}), setLevel: next => void (threshold.least = leastOf(next)) };
}

function leastOf(level: LogLevel): number {
  return PINO_LEVELS[level] ?? 30;
}

function wrap(root: winston.Logger, threshold: Threshold, context: Record<string, unknown>): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields?: Record<string, unknown>): void => {
      // winston builds the line before it looks at the level; a disabled debug line must cost nothing.
      if ((PINO_LEVELS[level] ?? 30) >= threshold.least) root.log(level, message, { ...context, ...fields });
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: fields => wrap(root, threshold, { ...context, ...fields }),
  };
}

/** Says nothing: for tests and tools. */
export const silentLog: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
