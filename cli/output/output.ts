// Where do a command's words go? Data to stdout, everything else to stderr.
import { colorsFor, type When } from "./color.js";
import { progressTo, type Progress, type ProgressMode } from "./progress.js";

/** What a command writes to; tests collect it. */
export interface Output {
  /** One line of data. */
  print(line: string): void;
  /** A step or a remark. */
  note(line: string): void;
  /** Something that was left undone, with what to do about it. */
  warn(line: string): void;
}

/** One stream: a terminal has a person before it. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** The streams a command may write to. */
export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** What the person asked for; asked anew for each line, since flags are read after the first word may be written. */
export interface Wishes {
  readonly color?: When;
  readonly progress?: ProgressMode;
}

/** Both ways to say something. They share the terminal: a counting line gives way to every other. */
export interface Voices {
  readonly output: Output;
  readonly progress: Progress;
}

/** Symbols and colours only for a person at a terminal. */
export function voicesOf(streams: Streams, env: NodeJS.ProcessEnv, wishes: () => Wishes = () => ({})): Voices {
  const { stdout, stderr } = streams;
  const isTerminal = stderr.isTTY === true;
  const color = () => colorsFor(isTerminal, env, wishes().color);
  const { progress, giveWay } = progressTo({ stderr, color, mode: () => wishes().progress ?? "auto" });
  const say = (stream: Stream, line: string): void => {
    giveWay();
    stream.write(`${line}\n`);
  };
  return {
    progress,
    output: {
      print: line => say(stdout, line),
      note: line => say(stderr, `${isTerminal ? `${color().cyan("►")} ` : ""}${line}`),
      warn: line => say(stderr, `${color().yellow("warning:")} ${line}`),
    },
  };
}
