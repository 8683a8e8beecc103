// Where do a command's words go? Data to stdout, everything else to stderr.
import pc from "picocolors";

/** What a command writes to; tests collect it. */
export interface Output {
  /** One line of data. */
  print(line: string): void;
  /** A step or a remark. */
  note(line: string): void;
  /** Something that was left undone, with what to do about it. */
  warn(line: string): void;
}

/** The streams a command may write to. */
export interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** Symbols and colours only for a person at a terminal; NO_COLOR takes the colours away (no-color.org). */
export function outputTo({ stdout, stderr }: Streams, env: NodeJS.ProcessEnv): Output {
  const fancy = stderr.isTTY === true;
  const color = pc.createColors(fancy && !env["NO_COLOR"]);
  return {
    print: line => void stdout.write(`${line}\n`),
    note: line => void stderr.write(`${fancy ? `${color.cyan("►")} ` : ""}${line}\n`),
    warn: line => void stderr.write(`${color.yellow("warning:")} ${line}\n`),
  };
}
