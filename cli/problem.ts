// What does a person get to read when a command cannot do what it was asked?

/** Exit codes; `holdfast --help` documents them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, timeout: 3, unproven: 4 } as const;

/** An expected end of a command: one line, and a hint that says what to do. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    message: string,
    readonly hint?: string,
    readonly exitCode: number = EXIT.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
