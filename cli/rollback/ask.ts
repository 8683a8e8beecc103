// What does the person at the terminal say?
import { createInterface } from "node:readline/promises";

/** True or false as answered; `undefined` when nobody sits there. */
export async function ask(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new Promise<string>(resolve => terminal.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), interrupted]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
