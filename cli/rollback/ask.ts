// What does the person at the terminal say?
import { createInterface } from "node:readline/promises";
import { EXIT, Problem } from "../problem.js";

/** Where a person may sit. */
export interface Seat {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

interface Reply {
  readonly way: "answered" | "ended" | "interrupted";
  readonly answer: string;
}

/**
 * True or false as answered; `undefined` when nobody sits there. The end of input (Ctrl-D) is a no.
 * @throws Problem on Ctrl-C: whoever wants out is asked nothing more
 */
export async function ask(question: string, seat: Seat = process): Promise<boolean | undefined> {
  if (!seat.stdin.isTTY || !seat.stderr.isTTY) return undefined;
  const { way, answer } = await read(`${question} [y/N] `, seat);
  // The cursor is still behind the question.
  if (way !== "answered") seat.stderr.write("\n");
  if (way === "interrupted") throw new Problem("nothing was done", "answer y, or give -y", EXIT.usage);
  return /^y(es)?$/i.test(answer.trim());
}

async function read(question: string, { stdin, stderr }: Seat): Promise<Reply> {
  const terminal = createInterface({ input: stdin, output: stderr });
  const unanswered = new Promise<Reply>(resolve => {
    terminal.once("SIGINT", () => resolve({ way: "interrupted", answer: "" }));
    terminal.once("close", () => resolve({ way: "ended", answer: "" }));
  });
  try {
    const answered = terminal.question(question).then(answer => ({ way: "answered" as const, answer }));
    return await Promise.race([answered, unanswered]);
  } finally {
    terminal.close();
  }
}
