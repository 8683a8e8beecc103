// How does a long command tell how far it is, without spoiling what a script reads?
import type { Colors } from "./color.js";
import type { Stream } from "./output.js";

/** What `--progress` says. `auto`: only on a terminal · `plain`: whole lines without symbols, anywhere · `none`: nothing. */
export type ProgressMode = "auto" | "plain" | "none";

/** Says how far a command is; on stderr, so that data stays clean. */
export interface Progress {
  /** A step begins. */
  start(text: string): void;
  /** It has to wait for something. */
  wait(text: string): void;
  /** It went well. */
  done(text: string): void;
  /** It did not; the command goes on. */
  fail(text: string): void;
  /** How many of all are done. One line, written anew each time; in plain mode a line for every tenth. */
  count(done: number, total: number, what: string): void;
}

/** `giveWay` takes the counting line off the terminal, so that another can be written. */
export interface ProgressLine {
  readonly progress: Progress;
  giveWay(): void;
}

interface Place {
  readonly stderr: Stream;
  readonly color: () => Colors;
  readonly mode: () => ProgressMode;
}

type Sign = readonly [symbol: string, color: "cyan" | "yellow" | "green" | "red"];

const START: Sign = ["►", "cyan"];
const WAIT: Sign = ["◎", "yellow"];
const DONE: Sign = ["✔", "green"];
const FAIL: Sign = ["✗", "red"];

/** The beginning of the line, and nothing behind it. */
const ERASE = "\r\u001b[K";

/** Progress on one stream. */
export function progressTo({ stderr, color, mode }: Place): ProgressLine {
  const isTerminal = stderr.isTTY === true;
  let isCounting = false;
  let tenth = -1;

  const isFancy = (): boolean => isTerminal && mode() === "auto";
  const isSilent = (): boolean => mode() === "none" || (mode() === "auto" && !isTerminal);

  function giveWay(): void {
    if (isCounting) stderr.write(ERASE);
    isCounting = false;
  }

  function line([symbol, name]: Sign): (text: string) => void {
    return text => {
      if (isSilent()) return;
      giveWay();
      stderr.write(isFancy() ? `${color()[name](symbol)} ${text}\n` : `${text}\n`);
    };
  }

  function count(done: number, total: number, what: string): void {
    if (isSilent()) return;
    if (isFancy()) {
      stderr.write(`${ERASE}${color().yellow(WAIT[0])} ${done}/${total} ${what}`);
      isCounting = true;
      if (done >= total) finish();
      return;
    }
    const now = Math.floor((10 * done) / Math.max(total, 1));
    if (now === tenth) return;
    tenth = done >= total ? -1 : now;
    stderr.write(`${done}/${total} ${what}\n`);
  }

  /** The last count stays to be read. */
  function finish(): void {
    stderr.write("\n");
    isCounting = false;
  }

  return { giveWay, progress: { start: line(START), wait: line(WAIT), done: line(DONE), fail: line(FAIL), count } };
}
