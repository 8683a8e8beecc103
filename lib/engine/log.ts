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

/** The process's logger. `level` is debug, info, warn or error. */
export function createLogger(level: string): Logger {
  const known = level in PINO_LEVELS ? level : "info";
  const root = winston.createLogger({ level: known, format: line, transports: [new winston.transports.Console()] });
  return wrap(root, PINO_LEVELS[known] ?? 30, {});
}

function wrap(root: winston.Logger, threshold: number, context: Record<string, unknown>): Logger {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields?: Record<string, unknown>): void => {
      // winston builds the line before it looks at the level; a disabled debug line must cost nothing.
      if ((PINO_LEVELS[level] ?? 30) >= threshold) root.log(level, message, { ...context, ...fields });
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
